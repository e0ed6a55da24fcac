#if ReactiveSwift
    import Foundation
    import MoyaCore
    import ReactiveSwift

    extension SignalProducerProtocol where Value == Response, Error == MoyaError {
        /// Passes a response whose status code is in `statusCodes`, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> SignalProducer<Response, MoyaError> where Codes.Bound == Int {
            attempting { try $0.filter(statusCodes: statusCodes) }
        }

        /// Passes a response with this status code, and fails with `MoyaError.statusCode` for
        /// another status code.
        public func filter(statusCode: Int) -> SignalProducer<Response, MoyaError> {
            attempting { try $0.filter(statusCode: statusCode) }
        }

        /// Passes a response with a status code from 200 to 299, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusCodes() -> SignalProducer<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusCodes() }
        }

        /// Passes a response with a status code from 200 to 399, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusAndRedirectCodes() -> SignalProducer<Response, MoyaError>
        {
            attempting { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// Parses the body as JSON: see `Response.mapJSON`.
        public func mapJSON(failsOnEmptyData: Bool = true) -> SignalProducer<Any, MoyaError> {
            attempting { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// Converts the body, or the value at `keyPath` in its JSON, to text: see
        /// `Response.mapString`.
        public func mapString(atKeyPath keyPath: String? = nil) -> SignalProducer<String, MoyaError>
        {
            attempting { try $0.mapString(atKeyPath: keyPath) }
        }

        /// Decodes the body, or the part of its JSON at `keyPath`: see
        /// `Response.map`.
        public func map<Object: Decodable>(
            _ type: Object.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
        ) -> SignalProducer<Object, MoyaError> {
            attempting {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// Converts the body to an image, or fails with ``MoyaError/imageMapping(_:)``.
            public func mapImage() -> SignalProducer<Image, MoyaError> {
                attempting { try $0.mapImage() }
            }
        #endif
    }

    extension SignalProducerProtocol where Value == Response, Error == MoyaError {
        private func attempting<Output>(
            _ transform: @escaping (Response) throws -> Output
        ) -> SignalProducer<Output, MoyaError> {
            producer.attemptMap { response in
                Result { try transform(response) }.mapError { MoyaError(wrapping: $0) }
            }
        }
    }
#endif

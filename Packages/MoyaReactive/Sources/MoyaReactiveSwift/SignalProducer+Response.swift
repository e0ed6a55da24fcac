#if ReactiveSwift
    import Foundation
    import MoyaCore
    import ReactiveSwift

    extension SignalProducerProtocol where Value == Response, Error == MoyaError {
        /// The response, if its status code is among `statusCodes`; else ``MoyaError/statusCode(_:)``.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> SignalProducer<Response, MoyaError> where Codes.Bound == Int {
            attempting { try $0.filter(statusCodes: statusCodes) }
        }

        /// The response, if it has this status code; else ``MoyaError/statusCode(_:)``.
        public func filter(statusCode: Int) -> SignalProducer<Response, MoyaError> {
            attempting { try $0.filter(statusCode: statusCode) }
        }

        /// The response, if its status code is one from 200 to 299; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusCodes() -> SignalProducer<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusCodes() }
        }

        /// The response, if its status code is one from 200 to 399; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusAndRedirectCodes() -> SignalProducer<Response, MoyaError>
        {
            attempting { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// The body as a JSON object: see ``Response/mapJSON(failsOnEmptyData:)``.
        public func mapJSON(failsOnEmptyData: Bool = true) -> SignalProducer<Any, MoyaError> {
            attempting { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// The body as text, or the text at `keyPath` in its JSON: see ``Response/mapString(atKeyPath:)``.
        public func mapString(atKeyPath keyPath: String? = nil) -> SignalProducer<String, MoyaError>
        {
            attempting { try $0.mapString(atKeyPath: keyPath) }
        }

        /// The body, or the part of its JSON at `keyPath`, decoded: see
        /// ``Response/map(_:atKeyPath:using:failsOnEmptyData:)``.
        public func map<Object: Decodable>(
            _ type: Object.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
        ) -> SignalProducer<Object, MoyaError> {
            attempting {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// The body as an image; else ``MoyaError/imageMapping(_:)``.
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

#if canImport(Combine) || OpenCombine
    import Foundation
    import MoyaCore

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension Publisher where Output == Response, Failure == MoyaError {
        /// Passes a response whose status code is in `statusCodes`, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> AnyPublisher<Response, MoyaError> where Codes.Bound == Int {
            attempting { try $0.filter(statusCodes: statusCodes) }
        }

        /// Passes a response with this status code, and fails with `MoyaError.statusCode` for
        /// another status code.
        public func filter(statusCode: Int) -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filter(statusCode: statusCode) }
        }

        /// Passes a response with a status code from 200 to 299, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusCodes() -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusCodes() }
        }

        /// Passes a response with a status code from 200 to 399, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusAndRedirectCodes() -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// Parses the body as JSON: see `Response.mapJSON`.
        public func mapJSON(failsOnEmptyData: Bool = true) -> AnyPublisher<Any, MoyaError> {
            attempting { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// Converts the body, or the value at `keyPath` in its JSON, to text: see
        /// `Response.mapString`.
        public func mapString(atKeyPath keyPath: String? = nil) -> AnyPublisher<String, MoyaError> {
            attempting { try $0.mapString(atKeyPath: keyPath) }
        }

        /// Decodes the body, or the part of its JSON at `keyPath`: see
        /// `Response.map`.
        public func map<Value: Decodable>(
            _ type: Value.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
        ) -> AnyPublisher<Value, MoyaError> {
            attempting {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// Converts the body to an image, or fails with ``MoyaError/imageMapping(_:)``.
            public func mapImage() -> AnyPublisher<Image, MoyaError> {
                attempting { try $0.mapImage() }
            }
        #endif
    }

    extension Publisher where Output == Response, Failure == MoyaError {
        private func attempting<Value>(
            _ transform: @escaping (Response) throws -> Value
        ) -> AnyPublisher<Value, MoyaError> {
            tryMap(transform)
                .mapError { MoyaError(wrapping: $0) }
                .eraseToAnyPublisher()
        }
    }
#endif

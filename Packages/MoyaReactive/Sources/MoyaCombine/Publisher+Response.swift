#if canImport(Combine) || OpenCombine
    import Foundation
    import MoyaCore

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension Publisher where Output == Response, Failure == MoyaError {
        /// The response, if its status code is among `statusCodes`; else ``MoyaError/statusCode(_:)``.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> AnyPublisher<Response, MoyaError> where Codes.Bound == Int {
            attempting { try $0.filter(statusCodes: statusCodes) }
        }

        /// The response, if it has this status code; else ``MoyaError/statusCode(_:)``.
        public func filter(statusCode: Int) -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filter(statusCode: statusCode) }
        }

        /// The response, if its status code is one from 200 to 299; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusCodes() -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusCodes() }
        }

        /// The response, if its status code is one from 200 to 399; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusAndRedirectCodes() -> AnyPublisher<Response, MoyaError> {
            attempting { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// The body as a JSON object: see ``Response/mapJSON(failsOnEmptyData:)``.
        public func mapJSON(failsOnEmptyData: Bool = true) -> AnyPublisher<Any, MoyaError> {
            attempting { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// The body as text, or the text at `keyPath` in its JSON: see ``Response/mapString(atKeyPath:)``.
        public func mapString(atKeyPath keyPath: String? = nil) -> AnyPublisher<String, MoyaError> {
            attempting { try $0.mapString(atKeyPath: keyPath) }
        }

        /// The body, or the part of its JSON at `keyPath`, decoded: see
        /// ``Response/map(_:atKeyPath:using:failsOnEmptyData:)``.
        public func map<Value: Decodable>(
            _ type: Value.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
        ) -> AnyPublisher<Value, MoyaError> {
            attempting {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// The body as an image; else ``MoyaError/imageMapping(_:)``.
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

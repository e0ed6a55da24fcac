#if RxSwift
    import Foundation
    import MoyaCore
    import RxSwift

    extension PrimitiveSequence where Trait == SingleTrait, Element == Response {
        /// The response, if its status code is among `statusCodes`; else ``MoyaError/statusCode(_:)``.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> Single<Response> where Codes.Bound == Int {
            map { try $0.filter(statusCodes: statusCodes) }
        }

        /// The response, if it has this status code; else ``MoyaError/statusCode(_:)``.
        public func filter(statusCode: Int) -> Single<Response> {
            map { try $0.filter(statusCode: statusCode) }
        }

        /// The response, if its status code is one from 200 to 299; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusCodes() -> Single<Response> {
            map { try $0.filterSuccessfulStatusCodes() }
        }

        /// The response, if its status code is one from 200 to 399; else ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusAndRedirectCodes() -> Single<Response> {
            map { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// The body as a JSON object: see ``Response/mapJSON(failsOnEmptyData:)``.
        public func mapJSON(failsOnEmptyData: Bool = true) -> Single<Any> {
            map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// The body as text, or the text at `keyPath` in its JSON: see ``Response/mapString(atKeyPath:)``.
        public func mapString(atKeyPath keyPath: String? = nil) -> Single<String> {
            map { try $0.mapString(atKeyPath: keyPath) }
        }

        /// The body, or the part of its JSON at `keyPath`, decoded: see
        /// ``Response/map(_:atKeyPath:using:failsOnEmptyData:)``.
        public func map<Value: Decodable>(
            _ type: Value.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
        ) -> Single<Value> {
            map {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// The body as an image; else ``MoyaError/imageMapping(_:)``.
            public func mapImage() -> Single<Image> {
                map { try $0.mapImage() }
            }
        #endif
    }
#endif

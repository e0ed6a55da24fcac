#if RxSwift
    import Foundation
    import MoyaCore
    import RxSwift

    extension ObservableType where Element == Response {
        /// Passes a response whose status code is in `statusCodes`, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filter<Codes: RangeExpression>(
            statusCodes: Codes
        ) -> Observable<Response> where Codes.Bound == Int {
            map { try $0.filter(statusCodes: statusCodes) }
        }

        /// Passes a response with this status code, and fails with `MoyaError.statusCode` for
        /// another status code.
        public func filter(statusCode: Int) -> Observable<Response> {
            map { try $0.filter(statusCode: statusCode) }
        }

        /// Passes a response with a status code from 200 to 299, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusCodes() -> Observable<Response> {
            map { try $0.filterSuccessfulStatusCodes() }
        }

        /// Passes a response with a status code from 200 to 399, and fails with
        /// `MoyaError.statusCode` for another status code.
        public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> {
            map { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// Parses the body as JSON: see `Response.mapJSON`.
        public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<Any> {
            map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// Converts the body, or the value at `keyPath` in its JSON, to text: see
        /// `Response.mapString`.
        public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> {
            map { try $0.mapString(atKeyPath: keyPath) }
        }

        /// Decodes the body, or the part of its JSON at `keyPath`: see
        /// `Response.map`.
        public func map<Value: Decodable>(
            _ type: Value.Type, atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
        ) -> Observable<Value> {
            map {
                try $0.map(
                    type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
            }
        }

        #if canImport(UIKit) || canImport(AppKit)
            /// Converts the body to an image, or fails with ``MoyaError/imageMapping(_:)``.
            public func mapImage() -> Observable<Image> {
                map { try $0.mapImage() }
            }
        #endif
    }
#endif

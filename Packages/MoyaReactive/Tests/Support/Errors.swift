import Foundation
import MoyaCore

extension MoyaError {
    /// The case of the error as text, for comparisons in tests.
    public var kind: String {
        switch self {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .encodableMapping: "encodableMapping"
        case .statusCode(let response): "statusCode \(response.statusCode)"
        case .underlying(let error as MoyaError, _): "underlying \(error.kind)"
        case .underlying(let error, _): "\((error as NSError).domain) \((error as NSError).code)"
        case .requestMapping: "requestMapping"
        case .parameterEncoding: "parameterEncoding"
        }
    }

    /// The ``kind`` of the error of a cancelled request.
    public static let cancelledKind = "NSURLErrorDomain -999"
}

extension Error {
    /// The ``MoyaError/kind`` of a `MoyaError`, or a description of another error.
    public var moyaKind: String { (self as? MoyaError)?.kind ?? "not a MoyaError: \(self)" }
}

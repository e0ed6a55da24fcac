import Foundation
import MoyaCore

extension MoyaError {
    /// Which error it is, in one word that tests compare.
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

    /// The ``kind`` of the error that a cancelled request fails with.
    public static let cancelledKind = "NSURLErrorDomain -999"
}

extension Error {
    /// Which ``MoyaError`` it is, or that it is none.
    public var moyaKind: String { (self as? MoyaError)?.kind ?? "not a MoyaError: \(self)" }
}

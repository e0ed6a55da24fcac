/// Which status codes count as success. Another one fails the request with
/// ``MoyaError/underlying(_:_:)`` around ``MoyaError/statusCode(_:)``, the response included.
public enum ValidationType: Sendable, Equatable {
    /// Every status code is fine.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// These codes and no other. An empty list lets every code pass, as in Moya.
    case customCodes([Int])

    /// The status codes that pass. Empty where all of them do.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }

    /// Whether `statusCode` counts as success. No list is made to find out.
    public func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        // As in Moya: no code given means nothing to check against.
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}

/// The status codes that count as success. Any other status code fails the request with
/// ``MoyaError/underlying(_:_:)``, which holds ``MoyaError/statusCode(_:)`` and the response.
public enum ValidationType: Sendable, Equatable {
    /// Accepts every status code.
    case none
    /// Accepts 200...299.
    case successCodes
    /// Accepts 200...399.
    case successAndRedirectCodes
    /// Accepts the listed codes. An empty list accepts every code, as in Moya.
    case customCodes([Int])

    /// The accepted status codes. Empty if every code is accepted.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }

    /// Returns whether `statusCode` counts as success. Does not create ``statusCodes``.
    public func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        // An empty list accepts every code, as in Moya.
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}

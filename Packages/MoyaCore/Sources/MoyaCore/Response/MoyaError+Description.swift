import Foundation

extension MoyaError: CustomStringConvertible {
    /// The error's case and cause, and the status, the method and the URL of the response. Contains
    /// no secrets of a URL, and of a body only the title of problem details (RFC 9457).
    public var description: String { "MoyaError.\(name)(\(details.joined(separator: ", ")))" }

    private var name: String {
        switch self {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .encodableMapping: "encodableMapping"
        case .statusCode: "statusCode"
        case .underlying: "underlying"
        case .requestMapping: "requestMapping"
        case .parameterEncoding: "parameterEncoding"
        }
    }

    private var details: [String] {
        if case .requestMapping(let url) = self {
            return ["\"\(Redaction.default.redact(url: url))\""]
        }
        let problem = problemTitle.map { "Problem: \($0)" }
        return [underlyingError.map(ErrorText.details), place, problem].compactMap { $0 }
    }

    /// The response, unless the cause names it, or else the URL of a `URLError`.
    private var place: String? {
        guard let response else { return underlyingError.flatMap(ErrorText.failingURL) }
        if let cause = underlyingError as? MoyaError, cause.response === response { return nil }
        return "Status Code: \(response.summary), Data Length: \(response.data.count)"
    }
}

extension MoyaError: CustomReflectable {
    /// Shows the same details as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: [name: details], displayStyle: .enum)
    }
}

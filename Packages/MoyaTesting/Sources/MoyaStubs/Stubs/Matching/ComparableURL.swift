import Foundation

/// A URL without what makes no difference: the order of parameters, the case of scheme and host, a default port.
struct ComparableURL: Equatable, Sendable {
    let scheme: String?
    let host: String?
    private let port: Int?
    /// The segments of the path, escapes resolved.
    let path: [String]
    /// `name=value`, in order.
    let query: [String]
    /// What is no URL is compared as it is.
    private let text: String?

    init(_ address: String) {
        guard let parts = URLComponents(string: address) else {
            (scheme, host, port, path, query, text) = (nil, nil, nil, [], [], address)
            return
        }
        scheme = parts.scheme?.lowercased()
        host = parts.host?.lowercased()
        let usual = ["http": 80, "https": 443][scheme ?? ""]
        port = parts.port == usual ? nil : parts.port
        path = PathTemplate.segments(of: parts.percentEncodedPath)
        query = (parts.queryItems ?? []).map { "\($0.name)=\($0.value ?? "")" }.sorted()
        text = nil
    }
}

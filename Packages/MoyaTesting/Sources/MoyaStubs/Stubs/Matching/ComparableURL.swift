import Foundation

/// A URL normalized for comparison: ignores the order of query parameters, the case of scheme and
/// host, and a default port.
struct ComparableURL: Equatable, Sendable {
    let scheme: String?
    let host: String?
    private let port: Int?
    /// Segments of the path, percent-decoded.
    let path: [String]
    /// Query parameters as `name=value`, sorted.
    let query: [String]
    /// The original text, if it is not a valid URL.
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

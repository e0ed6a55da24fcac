import Foundation
import MoyaCore
import MoyaInternals

/// The canonical form of a request, which client and server sign alike.
struct AWSCanonicalRequest {
    /// Names of the signed header fields, joined with semicolons.
    let signedHeaders: String
    let text: String

    var digest: String { Hexadecimal.encode(Digester.digest(.sha256, of: Data(text.utf8))) }

    init(
        _ request: URLRequest, url: URL, host: String, bodyDigest: String,
        normalizesPath: Bool, escapesPathTwice: Bool
    ) {
        let fields = Self.fields(of: request, host: host)
        signedHeaders = fields.map(\.name).joined(separator: ";")
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        text = [
            request.httpMethod ?? "GET",
            Self.path(
                components?.percentEncodedPath ?? "/", normalizes: normalizesPath,
                escapesTwice: escapesPathTwice),
            Self.query(components?.percentEncodedQuery ?? ""),
            fields.map { "\($0.name):\($0.value)\n" }.joined(),
            signedHeaders,
            bodyDigest,
        ].joined(separator: "\n")
    }

    /// Header fields that the transport or a proxy may add or change.
    private static let unsigned: Set<String> = [
        "authorization", "user-agent", "connection", "expect", "te", "trailer",
        "transfer-encoding", "upgrade", "accept-encoding", "proxy-authorization",
        "proxy-connection", "x-amzn-trace-id", "traceparent", "tracestate", "baggage",
    ]

    /// Returns the names of the header fields that are signed, joined with semicolons.
    static func signedHeaders(of request: URLRequest, host: String) -> String {
        fields(of: request, host: host).map(\.name).joined(separator: ";")
    }

    private static func fields(
        of request: URLRequest, host: String
    ) -> [(name: String, value: String)] {
        var fields = ["host": host]
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            let name = name.lowercased()
            guard !unsigned.contains(name) else { continue }
            // Collapses white space to single spaces, and trims it.
            fields[name] = value.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
                .map { String($0) }.joined(separator: " ")
        }
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns `url` as it has to be sent: a server may verify the signature with the query and the
    /// path that it receives, without decoding them.
    ///
    /// - Parameter escapesPathTwice: If `true`, the path is signed as it is, so it does not change.
    static func sent(_ url: URL, escapesPathTwice: Bool) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url
        }
        components.percentEncodedQuery = components.percentEncodedQuery.map(query)
        if !escapesPathTwice {
            components.percentEncodedPath = components.percentEncodedPath.split(
                separator: "/", omittingEmptySubsequences: false
            ).map { PercentEncoding.normalized(String($0)) }.joined(separator: "/")
        }
        return components.url ?? url
    }

    private static func path(
        _ path: String, normalizes: Bool, escapesTwice: Bool
    ) -> String {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().map(String.init)
        if normalizes { segments = normalized(segments) }
        // AWS escapes the path as received, so with `escapesTwice` existing percent signs are
        // escaped again.
        let escape = escapesTwice ? PercentEncoding.segment : PercentEncoding.normalized
        return "/" + segments.map(escape).joined(separator: "/")
    }

    /// Removes `.`, `..` and empty segments. A trailing slash stays.
    private static func normalized(_ segments: [String]) -> [String] {
        var kept: [String] = []
        for segment in segments {
            switch segment {
            case "", ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if segments.last?.isEmpty == true, !kept.isEmpty { kept.append("") }
        return kept
    }

    /// Sorts the query by bytes, with names and values escaped uniformly.
    private static func query(_ query: String) -> String {
        query.split(separator: "&").map { pair in
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map { PercentEncoding.normalized(String($0)) }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        // Escaped text is ASCII, so its order is the order of its bytes.
        .sorted { $0 < $1 }
        .map { "\($0.0)=\($0.1)" }
        .joined(separator: "&")
    }
}

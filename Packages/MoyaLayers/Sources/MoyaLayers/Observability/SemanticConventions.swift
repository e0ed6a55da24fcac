import Foundation
import MoyaCore

/// Attributes of a request, with the names and values of OpenTelemetry's semantic conventions for
/// HTTP clients.
struct SemanticConventions {
    let request: TransportRequest

    /// The method, or `_OTHER` for an unknown method, because each value creates a metric and their
    /// number must be bounded.
    var method: String {
        let known = [
            "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
        ]
        return known.contains(request.method) ? request.method : "_OTHER"
    }

    /// The method, and the name of the request in its context.
    var spanName: String {
        let method = method == "_OTHER" ? "HTTP" : method
        return request.context.name.map { "\(method) \($0)" } ?? method
    }

    var serverAddress: String { request.urlRequest.url?.host ?? "" }

    var serverPort: Int { request.urlRequest.url?.effectivePort ?? 0 }

    /// The error type, with few distinct values: a status of 400 or above, or the kind of error.
    /// `nil` for a success.
    static func errorType(_ outcome: Result<TransportResponse, any Error>) -> String? {
        switch outcome {
        case .success(let response):
            return response.head.statusCode >= 400 ? "\(response.head.statusCode)" : nil
        case .failure(let error):
            guard let error = error as? URLError else { return "\(type(of: error))" }
            return switch error.code {
            case .timedOut: "timeout"
            case .cancelled: "cancelled"
            case .cannotFindHost, .dnsLookupFailed: "name_resolution_error"
            case .cannotConnectToHost: "connection_error"
            case .networkConnectionLost: "connection_lost"
            default: "NSURLErrorDomain \(error.code.rawValue)"
            }
        }
    }

    /// The version part of the protocol, such as `1.1` or `2`.
    static func protocolVersion(_ head: ResponseHead) -> String {
        let parts = head.httpVersion.split(separator: "/")
        return parts.count == 2 ? String(parts[1]) : head.httpVersion
    }

    /// Dimensions that are known before the request is sent.
    var requestDimensions: [(String, String)] {
        [
            ("http.request.method", method), ("server.address", serverAddress),
            ("server.port", "\(serverPort)"),
        ]
    }

    /// Returns the dimensions of `origin`: scheme, host and port.
    static func dimensions(ofOrigin origin: String) -> [(String, String)] {
        let parts = origin.split(separator: ":", omittingEmptySubsequences: false)
        let host = parts.dropFirst().dropLast().joined(separator: ":").drop { $0 == "/" }
        return [
            ("server.address", String(host)), ("server.port", parts.last.map(String.init) ?? ""),
        ]
    }

    /// Returns the dimensions of the metrics.
    func dimensions(
        of outcome: Result<TransportResponse, any Error>
    ) -> [(String, String)] {
        var dimensions = requestDimensions
        if case .success(let response) = outcome {
            dimensions.append(("http.response.status_code", "\(response.head.statusCode)"))
            dimensions.append(
                ("network.protocol.version", Self.protocolVersion(response.head)))
        }
        if let type = Self.errorType(outcome) { dimensions.append(("error.type", type)) }
        return dimensions
    }
}

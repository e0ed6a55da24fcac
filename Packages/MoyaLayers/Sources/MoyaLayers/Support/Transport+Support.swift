import Foundation
import MoyaCore

extension TransportRequest {
    /// The request's target, unwrapped from any `MultiTarget`.
    var innerTarget: (any TargetType)? {
        var inner = target
        while let multiTarget = inner as? MultiTarget { inner = multiTarget.target }
        return inner
    }

    /// How an inner layer will authorize the request, for outer layers that do not see the
    /// `Authorization` field yet.
    var authorizationType: AuthorizationType? {
        (innerTarget as? any AccessTokenAuthorizable)?.authorizationType
    }

    var method: String { urlRequest.httpMethod ?? "GET" }

    func value(for name: String) -> String? {
        urlRequest.value(forHTTPHeaderField: name)
    }

    /// This request with the header field `name`, unless it already has that field.
    func adding(_ name: String, _ value: @autoclosure () -> String) -> TransportRequest {
        guard self.value(for: name) == nil else { return self }
        var request = self
        request.urlRequest.setValue(value(), forHTTPHeaderField: name)
        return request
    }

    /// This request without its progress and informational callbacks, for a request that no caller
    /// waits for.
    func withoutObservers() -> TransportRequest {
        var request = self
        request.progress = nil
        request.informational = nil
        return request
    }

    /// Scheme, host and port: the unit to which a server's limits apply.
    var origin: String {
        guard let url = urlRequest.url else { return "" }
        let scheme = url.scheme?.lowercased() ?? ""
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(url.effectivePort)"
    }
}

extension RequestBody {
    /// Size in bytes. `nil` for a file, and for a stream of unknown length.
    var knownSize: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }
}

extension URL {
    /// The port, or the default port of the scheme: 443 for `https`, 80 for any other.
    var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension Result where Failure == any Error {
    init(of work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

/// Runs `exchange`, and calls `action` once with its outcome: at once if `exchange` throws,
/// otherwise when the response is over (``TransportResponse/whenOver(_:)``).
func perform(
    _ exchange: () async throws -> TransportResponse,
    whenOver action: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
) async throws -> TransportResponse {
    do {
        let response = try await exchange()
        response.whenOver(action)
        return response
    } catch {
        action(.failure(error))
        throw error
    }
}

extension TransportResponse {
    /// Calls `action` when the response is over: at once, or when a streamed body ends. The
    /// response passed to `action` has no stream, because a stream has a single reader.
    func whenOver(
        _ action: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        guard case .stream(let stream) = body else { return action(.success(self)) }
        stream.whenEnded { [head] outcome in
            action(
                outcome.map {
                    TransportResponse(head: head, metrics: $0.metrics, trailers: $0.trailers)
                })
        }
    }
}

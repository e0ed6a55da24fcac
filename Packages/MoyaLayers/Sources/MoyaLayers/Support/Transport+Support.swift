import Foundation
import MoyaCore

extension TransportRequest {
    /// The target, out of its `MultiTarget`.
    var innerTarget: (any TargetType)? {
        var inner = target
        while let multiTarget = inner as? MultiTarget { inner = multiTarget.target }
        return inner
    }

    /// How a layer inside will authorize the request, for layers to which the field is not there yet.
    var authorizationType: AuthorizationType? {
        (innerTarget as? any AccessTokenAuthorizable)?.authorizationType
    }

    var method: String { urlRequest.httpMethod ?? "GET" }

    func value(for name: String) -> String? {
        urlRequest.value(forHTTPHeaderField: name)
    }

    /// This request with a header field, unless it has one of that name.
    func adding(_ name: String, _ value: @autoclosure () -> String) -> TransportRequest {
        guard self.value(for: name) == nil else { return self }
        var request = self
        request.urlRequest.setValue(value(), forHTTPHeaderField: name)
        return request
    }

    /// This request without its progress and events, for an exchange that no caller waits for.
    func withoutObservers() -> TransportRequest {
        var request = self
        request.progress = nil
        request.informational = nil
        return request
    }

    /// Scheme, host and port: what a server's limits apply to.
    var origin: String {
        guard let url = urlRequest.url else { return "" }
        let scheme = url.scheme?.lowercased() ?? ""
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(url.effectivePort)"
    }
}

extension URL {
    /// The port, or the scheme's own: 443 for `https` and 80 for any other.
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

/// Runs `exchange`, and calls `action` once with what comes of it: with an error at once, with a response when the
/// exchange is over, as ``TransportResponse/whenOver(_:)`` has it.
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
    /// Calls `action` when the exchange is over: at once, or with the end of a body that is a stream. The response
    /// that `action` gets has no stream in it: the reader is the only one who may hold that.
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

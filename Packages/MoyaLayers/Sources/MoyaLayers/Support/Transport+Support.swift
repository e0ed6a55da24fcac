import Foundation
@_spi(MoyaInternals) import MoyaCore

extension TransportRequest {
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
    func withoutCallbacks() -> TransportRequest {
        var request = self
        request.progress = nil
        request.informational = nil
        return request
    }

    /// Sends this request with `exchange`, which has `seconds` seconds: until the head if the
    /// response's body is a stream. `nil` means no timeout.
    ///
    /// - Throws: The error of `exchange`, or `URLError(.timedOut)` with a `DeadlineError` as its
    ///   underlying error.
    func timingOut(
        after seconds: TimeInterval?, clock: any MoyaClock,
        _ exchange: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard let seconds, seconds.isFinite else { return try await exchange(self) }
        let timeout = RequestDeadline(after: seconds, clock: clock)
        var request = self
        // A deadline would end the body of a stream as well.
        if case .stream = destination {
        } else {
            request.deadline = timeout.notLater(than: deadline)
        }
        return try await timeout.run(
            for: urlRequest.url, discarding: { $0.discard() },
            { [request] in try await exchange(request) })
    }

    /// Scheme, host and port: the unit to which a server's limits apply.
    var origin: String { urlRequest.url?.origin ?? "" }
}

extension ResponseHead {
    /// Whether the server failed in a way that may pass: status 500, 502, 503 or 504.
    var isServerFailure: Bool {
        statusCode >= 500 && TransientFailure(statusCode: statusCode) != nil
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

    /// Whether the host is a name or an address of the loopback interface.
    var isOnThisMachine: Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host?.lowercased() ?? "")
    }
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
/// otherwise when the response has ended (``TransportResponse/whenEnded(_:)``).
func perform(
    _ exchange: () async throws -> TransportResponse,
    whenEnded action: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
) async throws -> TransportResponse {
    do {
        let response = try await exchange()
        response.whenEnded(action)
        return response
    } catch {
        action(.failure(error))
        throw error
    }
}

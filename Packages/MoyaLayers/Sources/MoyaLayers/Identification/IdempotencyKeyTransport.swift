import Foundation
import MoyaCore

/// A layer that gives each POST and PATCH an `Idempotency-Key`, by which a server knows a request that
/// it has seen before.
///
/// Put it around the layer that retries, so that all attempts have the same key; that layer then takes
/// them for repeatable: `CurlTransport().retrying().addingIdempotencyKeys()`. Only for servers that
/// know the field: to others, a request sent twice is two requests.
public struct IdempotencyKeyTransport: Transport {
    let next: any Transport
    let methods: Set<String>
    let makeKey: @Sendable () -> String

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard methods.contains(request.method), request.value(for: "Idempotency-Key") == nil else {
            return try await next.send(request)
        }
        var request = request
        request.urlRequest.setValue(makeKey(), forHTTPHeaderField: "Idempotency-Key")
        return try await next.send(request)
    }
}

extension Transport {
    /// This transport, sending a new `Idempotency-Key` with each request that has none.
    ///
    /// - Parameters:
    ///   - methods: The methods that get one.
    ///   - makeKey: Makes a unique key. By default a UUID as a quoted string, as the
    ///     IETF's draft has it.
    public func addingIdempotencyKeys(
        to methods: Set<HTTPMethod> = [.post, .patch],
        makeKey: @escaping @Sendable () -> String = { "\"\(UUID().uuidString)\"" }
    ) -> IdempotencyKeyTransport {
        IdempotencyKeyTransport(
            next: self, methods: Set(methods.map(\.rawValue)), makeKey: makeKey)
    }
}

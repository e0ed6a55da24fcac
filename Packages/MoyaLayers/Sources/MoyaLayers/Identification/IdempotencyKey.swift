import Foundation
import MoyaCore

extension Transport {
    /// This transport, sending a new `Idempotency-Key` with each request that has none: by it a server knows a request
    /// that it has seen before.
    ///
    /// Put it around the layer that retries, so that all attempts have the same key; that layer then takes
    /// them for repeatable: `CurlTransport().retrying().addingIdempotencyKeys()`. Only for servers that
    /// know the field: to others, a request sent twice is two requests.
    ///
    /// - Parameters:
    ///   - methods: The methods that get one.
    ///   - makeKey: Makes a unique key. By default a UUID as a quoted string, as the
    ///     IETF's draft has it.
    public func addingIdempotencyKeys(
        to methods: Set<HTTPMethod> = [.post, .patch],
        makeKey: @escaping @Sendable () -> String = { "\"\(UUID().uuidString)\"" }
    ) -> some Transport {
        Layer { request in
            let isMeant = methods.contains(HTTPMethod(rawValue: request.method))
            return try await send(
                isMeant ? request.adding("Idempotency-Key", makeKey()) : request)
        }
    }
}

import Foundation
import MoyaCore
import MoyaInternals

extension Transport {
    /// Wraps this transport in a layer that adds a new `Idempotency-Key` to requests without one. A
    /// server uses the key to detect repeated requests.
    ///
    /// Put it around every layer that repeats requests, so that all attempts have the same key:
    /// `CurlTransport().retrying().authorizing(with: tokens).addingIdempotencyKeys()`. Inside
    /// `authorizing`, the request that is repeated after status 401 would get another key, although
    /// the server may have acted on an earlier attempt. Use it only for servers that support the
    /// field: other servers execute a repeated request twice.
    ///
    /// - Parameters:
    ///   - methods: Methods whose requests get a key.
    ///   - makeKey: Returns a unique key. By default a UUID as a quoted string, as in the IETF
    ///     draft.
    public func addingIdempotencyKeys(
        to methods: Set<HTTPMethod> = [.post, .patch],
        makeKey: @escaping @Sendable () -> String = { "\"\(RandomID.uuid().uuidString)\"" }
    ) -> some Transport {
        Layer(around: self) { request in
            let isMeant = methods.contains(HTTPMethod(rawValue: request.method))
            return try await send(
                isMeant ? request.adding("Idempotency-Key", makeKey()) : request)
        }
    }
}

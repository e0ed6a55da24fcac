/// An exchange that equal requests may join.
struct Inflight: Sendable {
    let endpoint: Endpoint
    let exchange: Exchange
}

/// What an endpoint sends, taken once: encoding it again may give something else (a nonce, the time), and
/// would run code of the caller's under the lock.
final class InflightKey: Hashable, Sendable {
    private let key: Endpoint.Key
    private let hash: Int

    init(_ endpoint: Endpoint) {
        key = endpoint.key
        hash = key.hashValue
    }

    static func == (lhs: InflightKey, rhs: InflightKey) -> Bool {
        lhs.hash == rhs.hash && lhs.key == rhs.key
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

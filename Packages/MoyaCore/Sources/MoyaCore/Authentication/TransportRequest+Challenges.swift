import Foundation
import MoyaInternals

extension TransportRequest {
    /// Sends this request with `exchange`. If the server responds 401 with a supported challenge
    /// and the request has a ``credential``, sends it again with an `Authorization` field: Basic
    /// (RFC 7617) or Digest (RFC 7616) with MD5 or SHA-256, the strongest that the server offers.
    /// The first request never contains credentials. A request with an `Authorization` field is
    /// sent once.
    ///
    /// For authors of transports whose HTTP library does not respond to challenges. Call it inside
    /// ``followingRedirects(_:)``, which removes the credential when a redirect leads to another
    /// origin. Digest signs the request target: send path and query without dot segments, as in
    /// `url.standardized`.
    ///
    /// - Parameter nonces: The transport's nonce counts. Use one instance for each transport.
    /// - Throws: The errors of `exchange`.
    public func answeringChallenges(
        _ nonces: DigestNonces, _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var response = try await exchange(self)
        guard var authenticator = Authenticator(self, nonces) else { return response }
        while let answer = authenticator.answer(response) {
            try await response.makeWay()
            let earlier = response.metrics
            response = try await exchange(answer)
            response.metrics.add(earlier)
        }
        return response
    }
}

/// Counts the uses of each Digest nonce (RFC 7616, section 3.4). A server may reuse a nonce, and
/// counts its uses too.
public final class DigestNonces: Sendable {
    private let counts = Locked<[(nonce: String, count: Int)]>([])

    /// Creates counts without nonces.
    public init() {}

    /// Returns the number of uses of `nonce`, including this one. Only the latest 64 nonces are
    /// stored.
    func next(for nonce: String) -> Int {
        counts.withLock { counts in
            let index = counts.firstIndex { $0.nonce == nonce }
            let count = (index.map { counts.remove(at: $0).count } ?? 0) + 1
            counts.append((nonce, count))
            if counts.count > 64 { counts.removeFirst() }
            return count
        }
    }
}

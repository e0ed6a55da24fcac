import Foundation
import MoyaInternals

extension TransportRequest {
    /// Sends this request with `exchange`, and again with an `Authorization` field where the server answers 401 and
    /// ``credential`` can answer one of its challenges: Basic (RFC 7617), or Digest (RFC 7616) with MD5 or SHA-256, the
    /// strongest offered. The first request never has an answer. A request with an `Authorization` field is sent once.
    ///
    /// For authors of transports whose library does not answer challenges itself. Call it inside
    /// ``followingRedirects(_:)``, which takes the credential away where a redirect leads to another origin. Digest signs the
    /// request target: send path and query without dot segments, as in `url.standardized`.
    ///
    /// - Parameter nonces: One for each transport.
    /// - Throws: What `exchange` throws.
    public func answeringChallenges(
        _ nonces: DigestNonces, _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var response = try await exchange(self)
        guard var authenticator = Authenticator(self, nonces) else { return response }
        while let answer = authenticator.answer(response) {
            try await response.makeWay()
            response = try await exchange(answer)
        }
        return response
    }
}

/// Counts how often each nonce of a Digest challenge (RFC 7616, section 3.4) has been used: a server may hand out one again, and
/// counts as well.
public final class DigestNonces: Sendable {
    private let counts = Locked<[(nonce: String, count: Int)]>([])

    public init() {}

    /// Which use of `nonce` this is, from 1. Only the latest nonces are remembered.
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

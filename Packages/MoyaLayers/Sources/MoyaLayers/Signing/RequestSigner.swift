import Foundation
import MoyaCore

/// Puts a proof into a request that only its sender can make.
///
/// It sees the request as it is sent, body included. `RequestBody.sha256()` is the digest of the body.
public protocol RequestSigner: Sendable {
    /// The request with the proof in it.
    ///
    /// - Throws: Why it cannot be signed. The request then fails with that error.
    func sign(_ request: TransportRequest) async throws -> TransportRequest
}

extension Transport {
    /// This transport, sending each request as `signer` signs it, right before it is sent.
    ///
    /// Put it inside whatever changes or repeats requests, so that each attempt is signed as it leaves:
    /// `CurlTransport().signing(with: signer).retrying()`.
    public func signing(with signer: some RequestSigner) -> some Transport {
        Layer { try await send(signer.sign($0)) }
    }
}

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

/// A layer that signs each request right before it is sent.
///
/// Put it inside whatever changes or repeats requests, so that each attempt is signed as it leaves:
/// `CurlTransport().signing(with: signer).retrying()`.
public struct SigningTransport: Transport {
    let next: any Transport
    let signer: any RequestSigner

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await next.send(signer.sign(request))
    }
}

extension Transport {
    /// This transport, sending requests as `signer` signs them.
    public func signing(with signer: some RequestSigner) -> SigningTransport {
        SigningTransport(next: self, signer: signer)
    }
}

import Foundation
import MoyaCore

/// Signs requests, so that a server can verify their sender.
///
/// A signer gets the request as it is sent, including its body. `RequestBody.sha256()` returns the
/// digest of the body.
public protocol RequestSigner: Sendable {
    /// Returns `request` with its signature.
    ///
    /// - Throws: The reason for which the request cannot be signed. The request then fails with
    ///   that error.
    func sign(_ request: TransportRequest) async throws -> TransportRequest
}

extension Transport {
    /// Wraps this transport in a layer that signs each request with `signer` immediately before it
    /// is sent.
    ///
    /// Put it inside layers that change or repeat requests, so that each attempt is signed
    /// separately: `CurlTransport().signing(with: signer).retrying()`.
    public func signing(with signer: some RequestSigner) -> some Transport {
        Layer(around: self) { try await send(signer.sign($0)) }
    }
}

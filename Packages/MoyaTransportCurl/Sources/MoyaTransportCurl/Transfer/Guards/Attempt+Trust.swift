#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Evaluators of the server's certificates. libcurl validates them while the connection is made; the evaluator sees them
// before a request is written.
extension Attempt {
    /// The evaluator of the host's certificates. `nil` where there is none.
    ///
    /// - Throws: `URLError(.serverCertificateUntrusted)` for a host that has to have one.
    func findEvaluator(
        _ manager: ServerTrustManager?
    ) throws(URLError) -> (any ServerTrustEvaluating)? {
        guard let manager, let url, url.scheme?.lowercased() == "https"
        else { return nil }
        do {
            return try manager.serverTrustEvaluator(forHost: url.host ?? "")
        } catch {
            throw URLError(
                .serverCertificateUntrusted, "\(error)", url: url, cause: error)
        }
    }

    func isTrusted(_ endpoints: ConnectionEndpoints) -> Bool {
        guard let evaluator, let host = url?.host?.lowercased() else { return true }
        let context = handle.context
        let connection = TrustedConnection(host: host, endpoints: endpoints)
        if context.evaluated.isTrusted(connection) { return true }
        // The certificates at hand are those of the connection that this attempt has made last.
        let socket = context.evaluated.socket(madeBy: handle, localPort: endpoints.local.port)
        let isOwn = handle.standsAlone && easy.long(CURLINFO_NUM_CONNECTS) > 0
        guard socket != nil || isOwn else {
            guard transfer.repeats.unevaluatedCount >= 3 else {
                return refuse(UnevaluatedConnection())
            }
            let text = "Each connection for the request was one of another, not judged yet."
            return refuse(URLError(.secureConnectionFailed, text, url: url))
        }
        do {
            let isVerified =
                evaluator.validation.validatesChain && handle.profile?.isVerified == true
            try evaluator.evaluate(handle.certificates(verified: isVerified), forHost: host)
            if let socket { context.evaluated.trust(connection, on: socket) }
            return true
        } catch {
            handle.closeAtEnd(socket)
            return refuse(
                URLError(
                    .serverCertificateUntrusted,
                    "The server's certificate is not trusted: \(error)", url: url, cause: error))
        }
    }

    /// Stops the transfer. The connection stays: another one may have made it, and is to have it evaluated.
    private func refuse(_ failure: any Error) -> Bool {
        self.failure = failure
        return false
    }
}

/// The attempt was about to use a connection that another one has just made, and whose certificate is not evaluated yet.
struct UnevaluatedConnection: Error {}
#endif

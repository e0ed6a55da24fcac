#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Servers with a valid certificate that the app does not expect. libcurl validates it during the
// handshake, and the app's evaluator judges it before a request is written.
extension Attempt {
    /// The evaluator for the request's host. `nil` if there is no trust manager, or the URL is not
    /// `https`.
    ///
    /// - Throws: `URLError(.serverCertificateUntrusted)` if the manager requires an evaluator for
    ///   the host and has none.
    func findEvaluator(isSecure: Bool) throws(URLError) -> (any ServerTrustEvaluating)? {
        guard isSecure, let manager = handle.configuration.tls.serverTrustManager else {
            return nil
        }
        do {
            return try manager.serverTrustEvaluator(forHost: url?.host ?? "")
        } catch {
            throw URLError(
                .serverCertificateUntrusted, "\(error)", url: url, cause: error)
        }
    }

    /// Whether the certificates of the connection between `endpoints` are accepted. Evaluates them
    /// if the attempt has opened the connection.
    func isTrusted(_ endpoints: ConnectionEndpoints) -> Bool {
        guard let evaluator, let host = url?.host?.lowercased() else { return true }
        let context = handle.context
        let connection = TrustedConnection(host: host, endpoints: endpoints)
        if context.evaluated.isTrusted(connection) { return true }
        // libcurl holds the certificates of the connection that this attempt opened last.
        let socket = context.evaluated.sockets(madeBy: handle).first {
            ConnectionEndpoints.Address(localAddressOf: $0)?.port == endpoints.local.port
        }
        let isOwn = handle.standsAlone && easy.long(CURLINFO_NUM_CONNECTS) > 0
        guard socket != nil || isOwn else {
            guard transfer.repeats.unevaluatedCount >= 3 else {
                return refuse(UnevaluatedConnection())
            }
            let text = "Each connection for the request was one of another, not judged yet."
            return refuse(URLError(.secureConnectionFailed, text, url: url))
        }
        do {
            let checksHost = handle.profile?.trust.checksHost == true
            if checksHost, OpenSSL.installed?.serverHasCommonNameOnly(easy) == true {
                throw ServerTrustError(OpenSSL.commonNameAdvice)
            }
            let isVerified =
                evaluator.validation.validatesChain && handle.profile?.trust.isVerified == true
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

    /// Aborts the transfer. The connection stays open: the transfer that opened it evaluates its
    /// certificates.
    private func refuse(_ failure: any Error) -> Bool {
        self.failure = failure
        return false
    }
}

/// The attempt was about to use a connection that another transfer has just opened, and whose
/// certificates have not been evaluated.
struct UnevaluatedConnection: Error {}
#endif

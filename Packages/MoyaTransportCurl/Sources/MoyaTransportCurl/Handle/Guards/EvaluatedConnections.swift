#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// A connection whose certificates an evaluator has accepted.
struct TrustedConnection: Equatable {
    let host: String
    let endpoints: ConnectionEndpoints
}

/// Sockets whose certificates have been accepted, or are being evaluated. Empty where there is no evaluator.
struct EvaluatedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// `socket` is new. `maker` is the handle whose evaluator will be asked, if there is one.
    mutating func open(_ socket: curl_socket_t, by maker: AnyObject?) {
        // A socket that lost against another one has been closed without a word.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// `maker` is done with its transfer: from now on its certificates are those of another one.
    mutating func forget(_ maker: AnyObject) {
        let maker = ObjectIdentifier(maker)
        makers = makers.filter { $0.value != maker }
    }

    func isTrusted(_ connection: TrustedConnection) -> Bool {
        trusted.contains { $0.value == connection }
    }

    mutating func trust(_ connection: TrustedConnection, on socket: curl_socket_t) {
        makers[socket] = nil
        trusted[socket] = connection
    }

    /// The socket that `maker` has opened for its transfer, if it is the one with this port on our side.
    func socket(madeBy maker: AnyObject, localPort: Int32) -> curl_socket_t? {
        let maker = ObjectIdentifier(maker)
        return makers.first {
            $0.value == maker
                && ConnectionEndpoints.Address(localAddressOf: $0.key)?.port == localPort
        }?.key
    }
}

// Evaluators of the server's certificates. libcurl validates them while the connection is made; the evaluator
// sees them before a request is written.
extension CurlHandle {
    func setValidation(_ validation: TrustValidation) throws(Failure) {
        if !validation.validatesChain { try easy.set(CURLOPT_SSL_VERIFYPEER, false) }
        if !validation.validatesHost { try easy.set(CURLOPT_SSL_VERIFYHOST, 0) }
        if validation.checksRevocation { try easy.set(CURLOPT_SSL_VERIFYSTATUS, true) }
        if let anchors = validation.anchors {
            try setTrust(.data(Data(anchors.map(\.pem).joined().utf8)))
        }
        try easy.set(CURLOPT_CERTINFO, true)
        if standsAlone { try easy.set(CURLOPT_FORBID_REUSE, true) }
        // A resumed session need not show the certificates again (RFC 8446, section 2.2).
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
    }

    /// Whether every request has a connection for itself: sockets without ports cannot be told apart.
    var standsAlone: Bool { configuration.network.unixSocket != nil }

    /// Keeps the connection from others, to whom a transfer over HTTP/2 would leave it.
    func closeAtEnd(_ socket: curl_socket_t?) {
        isSpent = true
        do throws(Failure) {
            try easy.set(CURLOPT_FORBID_REUSE, true)
        } catch {
            // One that is not known here stands alone, and is closed at its end anyway.
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// The server's own certificate, and those it was traced to where that was asked for.
    ///
    /// What else the server has shown proves nothing: it may have copied that from anywhere.
    func certificates(verified: Bool) -> [ServerCertificate] {
        if verified, let chain = OpenSSL.installed?.verifiedChain(of: easy) { return chain }
        return shownCertificate.map { [$0] } ?? []
    }

    /// The certificate that the server has shown as its own when the connection was made.
    private var shownCertificate: ServerCertificate? {
        var info: UnsafeMutableRawPointer?
        guard moya_easy_get_pointer(easy.raw, CURLINFO_CERTINFO, &info) == CURLE_OK, let info
        else { return nil }
        let chain = info.assumingMemoryBound(to: curl_certinfo.self).pointee
        guard chain.num_of_certs > 0 else { return nil }
        var line = chain.certinfo?[0]
        while let current = line {
            if let text = current.pointee.data.map({ String(cString: $0) }),
                text.hasPrefix("Cert:")
            {
                return try? ServerCertificate.certificates(pem: Data(text.utf8)).first
            }
            line = current.pointee.next
        }
        return nil
    }
}
#endif

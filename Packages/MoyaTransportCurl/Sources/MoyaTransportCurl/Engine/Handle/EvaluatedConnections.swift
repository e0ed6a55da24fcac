#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// A connection whose certificates an evaluator has accepted for `host`.
struct TrustedConnection: Equatable {
    let host: String
    let endpoints: ConnectionEndpoints
}

/// Keeps requests off connections whose certificates have not been evaluated for their host: holds
/// the sockets whose certificates have been accepted, or are being evaluated. Empty without
/// evaluators.
struct EvaluatedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// Records a new socket. `maker` is the handle whose transfer has an evaluator, or `nil`.
    mutating func open(_ socket: curl_socket_t, by maker: AnyObject?) {
        // libcurl closes the socket that loses a race between addresses without a callback, so the
        // number may be reused.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// The transfer of `maker` has ended. Its next certificates belong to another connection.
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

    /// The open sockets that `maker` has opened for its transfer, and whose certificates have not
    /// been accepted.
    func sockets(madeBy maker: AnyObject) -> [curl_socket_t] {
        let maker = ObjectIdentifier(maker)
        return makers.filter { $0.value == maker }.map(\.key)
    }
}

// Evaluation of server certificates. libcurl validates them during the handshake; the evaluator
// runs before a request is written.
extension CurlHandle {
    func setValidation(_ validation: TrustValidation) throws(CurlError) {
        if !validation.validatesChain { try easy.set(CURLOPT_SSL_VERIFYPEER, false) }
        if !validation.validatesHost { try easy.set(CURLOPT_SSL_VERIFYHOST, 0) }
        if validation.checksRevocation { try easy.set(CURLOPT_SSL_VERIFYSTATUS, true) }
        if let anchors = validation.anchors {
            try setTrust(.data(Data(anchors.map(\.pem).joined().utf8)))
        }
        try easy.set(CURLOPT_CERTINFO, true)
        if standsAlone { try easy.set(CURLOPT_FORBID_REUSE, true) }
        // A resumed session need not include the certificates (RFC 8446, section 2.2).
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
    }

    /// Whether each request has a separate connection. Unix domain sockets have no ports to
    /// identify a connection by.
    var standsAlone: Bool { configuration.network.unixSocket != nil }

    /// Keeps other transfers from using the connection. Over HTTP/2 libcurl would leave it to them.
    func closeAtEnd(_ socket: curl_socket_t?) {
        isSpent = true
        do throws(CurlError) {
            try easy.set(CURLOPT_FORBID_REUSE, true)
        } catch {
            // A connection without a known socket carries no other transfer, and is closed at its
            // end anyway.
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// The server's certificate, followed by its verified chain if that was requested.
    ///
    /// Other certificates that the server has sent are not returned, because they prove nothing:
    /// anyone can copy them.
    func certificates(verified: Bool) -> [ServerCertificate] {
        if verified, let chain = OpenSSL.installed?.verifiedChain(of: easy) { return chain }
        return shownCertificate.map { [$0] } ?? []
    }

    /// The first certificate that the server sent in the handshake.
    private var shownCertificate: ServerCertificate? {
        let info = easy.pointer(CURLINFO_CERTINFO)
        guard let chain = info?.assumingMemoryBound(to: curl_certinfo.self).pointee,
            chain.num_of_certs > 0
        else { return nil }
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

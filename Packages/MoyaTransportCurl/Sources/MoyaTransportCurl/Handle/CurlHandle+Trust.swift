import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        // A resumed session need not show the certificates again (RFC 8446, section 2.2).
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
        try easy.check(
            CURLOPT_PREREQFUNCTION,
            moya_easy_set_ready_callback(
                easy.raw, UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque())
            ) { user, _, _, _, port in
                guard let handle = CurlHandle.from(user) else { return 1 }
                return handle.isTrusted(localPort: port) ? 0 : 1
            })
    }

    /// Whether a request may be written to the connection that has this port on our side.
    private func isTrusted(localPort: Int32) -> Bool {
        guard let transfer, let evaluator = transfer.evaluator,
            let host = transfer.url?.host?.lowercased()
        else { return true }
        let connection = TrustedConnection(host: host, localPort: localPort)
        guard easy.long(CURLINFO_NUM_CONNECTS) > 0 else {
            if driver.trusted.contains(connection) { return true }
            transfer.failure = UnjudgedConnection()
            return false
        }
        do {
            let isVerified = evaluator.validation.validatesChain && profile?.isVerified == true
            try evaluator.evaluate(certificates(verified: isVerified), forHost: host)
            driver.trusted.insert(connection)
            return true
        } catch {
            transfer.failure = URLError(
                .serverCertificateUntrusted, "The server's certificate is not trusted: \(error)",
                url: transfer.url, cause: error)
            return false
        }
    }

    /// The server's own certificate, and those it was traced to where that was asked for.
    ///
    /// What else the server has shown proves nothing: it may have copied that from anywhere.
    private func certificates(verified: Bool) -> [ServerCertificate] {
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

/// A connection whose certificates an evaluator has accepted.
struct TrustedConnection: Hashable {
    let host: String
    let localPort: Int32
}

/// The transfer was about to use a connection that another one has just made and not judged yet.
struct UnjudgedConnection: Error {}

extension CurlDriver {
    /// Forgets a connection that is about to be closed: its port may soon be another one's.
    func distrust(_ socket: curl_socket_t) {
        guard !trusted.isEmpty, let port = localPort(of: socket) else { return }
        trusted = trusted.filter { $0.localPort != port }
    }

    private func localPort(of socket: curl_socket_t) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length) == 0
            }
        }
        guard isKnown else { return nil }
        // IPv4 and IPv6 addresses have it in the same place.
        return withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            case AF_INET, AF_INET6: Int32(bytes[2]) << 8 | Int32(bytes[3])
            default: nil
            }
        }
    }
}

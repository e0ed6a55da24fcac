#if CURL
import CMoyaCurl
import MoyaCore

/// Functions of the OpenSSL that libcurl is linked with, for information that libcurl does not
/// provide: verified certificate chains and the results of handshakes.
///
/// They are looked up at run time, because libcurl may be built with another TLS library.
struct OpenSSL: @unchecked Sendable {
    // Safe to share: it holds constant functions only.

    /// OpenSSL's functions, by their names.
    let call: moya_openssl

    /// `nil` if libcurl uses another TLS library, or the process cannot find its functions.
    ///
    /// All functions come from one place, because a program may have two copies of OpenSSL. Loaded
    /// libraries first: a program may link another TLS library with the same names.
    static let installed = OpenSSL(moya_openssl_loaded()) ?? OpenSSL(moya_openssl_linked())

    private init?(_ functions: UnsafePointer<moya_openssl>?) {
        // A process may have loaded several OpenSSL libraries. Only libcurl's can read libcurl's
        // objects.
        guard let call = functions?.pointee,
            let text = call.OpenSSL_version(0).map({ String(cString: $0) }),
            text.hasPrefix("OpenSSL "), let number = text.split(separator: " ").dropFirst().first,
            CurlLibrary.openSSLNames.contains(where: {
                CurlLibrary.tls == $0 + number.prefix { $0 != "+" }
            })
        else { return nil }
        self.call = call
    }

    /// The result of the TLS handshake of the connection that `easy` uses. `nil` without TLS.
    func agreement(of easy: EasyHandle) -> TLSAgreement? {
        connection(of: easy).map {
            TLSAgreement(
                version: call.SSL_get_version($0),
                cipherSuite: call.SSL_get_current_cipher($0).flatMap {
                    call.SSL_CIPHER_standard_name($0)
                })
        }
    }

    /// Whether application data have been decrypted but not read.
    func hasPendingData(_ easy: EasyHandle) -> Bool {
        connection(of: easy).map { call.SSL_pending($0) > 0 } ?? false
    }

    /// Whether the server's close_notify has been read.
    func hasReceivedCloseNotify(_ easy: EasyHandle) -> Bool {
        // 2 is SSL_RECEIVED_SHUTDOWN.
        connection(of: easy).map { call.SSL_get_shutdown($0) & 2 != 0 } ?? false
    }

    /// Whether ALPN selected HTTP/2 (RFC 7301).
    func speaksHTTP2(_ easy: EasyHandle) -> Bool {
        guard let connection = connection(of: easy) else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        call.SSL_get0_alpn_selected(connection, &name, &length)
        return length == 2 && name?[0] == UInt8(ascii: "h") && name?[1] == UInt8(ascii: "2")
    }

    /// The verified chain of the connection that `easy` uses: the server's certificate first, a
    /// trusted root last. `nil` if there is no chain, or a certificate cannot be encoded.
    func verifiedChain(of easy: EasyHandle) -> [ServerCertificate]? {
        // 0 is X509_V_OK.
        guard let connection = connection(of: easy), call.SSL_get_verify_result(connection) == 0
        else { return nil }
        let chain = elements(of: call.SSL_get0_verified_chain(connection))
        let certificates = chain.compactMap(certificate)
        return certificates.isEmpty || certificates.count != chain.count ? nil : certificates
    }

    /// `SSL3_RT_ALERT`. An alert has two bytes: its level and its description, which is 0 for
    /// close_notify (RFC 8446, section 6).
    static let alertRecord: Int32 = 21
    /// `SSL3_RT_HANDSHAKE`.
    static let handshakeRecord: Int32 = 22
    /// `SSL_CTRL_SET_MSG_CALLBACK_ARG`.
    static let setCallbackArgument: Int32 = 16

    /// The OpenSSL connection that `easy` uses. `nil` without TLS, or with another TLS library.
    func connection(of easy: EasyHandle) -> OpaquePointer? {
        let info = easy.pointer(CURLINFO_TLS_SSL_PTR)
        guard let session = info?.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee,
            session.backend == CURLSSLBACKEND_OPENSSL
        else { return nil }
        return session.internals.map { OpaquePointer($0) }
    }

    /// The elements of a `STACK_OF`.
    func elements(of stack: OpaquePointer?) -> [OpaquePointer] {
        guard let stack else { return [] }
        return (0..<call.OPENSSL_sk_num(stack)).compactMap { call.OPENSSL_sk_value(stack, $0) }
    }

    private func certificate(_ certificate: OpaquePointer) -> ServerCertificate? {
        let length = Int(call.i2d_X509(certificate, nil))
        guard length > 0 else { return nil }
        var der = Data(count: length)
        let written = der.withUnsafeMutableBytes { bytes in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return call.i2d_X509(certificate, &cursor)
        }
        return Int(written) == length ? ServerCertificate(der: der) : nil
    }
}

/// The result of a TLS handshake. The texts are OpenSSL's constants, which stay valid.
struct TLSAgreement {
    let version: UnsafePointer<CChar>?
    let cipherSuite: UnsafePointer<CChar>?
}

extension OpenSSL {
    /// Observes received TLS messages other than application data, on each connection that `easy`
    /// opens, and checks the names in certificates.
    ///
    /// ``HandshakeLimit`` bounds handshake messages, because OpenSSL stays inside the handshake as
    /// long as the peer sends messages that it ignores. ``ClosingConnections`` is notified of
    /// close_notify alerts.
    func watchMessages(of easy: EasyHandle, for context: HandleContext) throws(CurlError) {
        let begin: curl_ssl_ctx_callback = { easy, tlsContext, user in
            guard let tlsContext, let openSSL = OpenSSL.installed else { return CURLE_OK }
            let handle = CurlHandle.of(easy)
            if handle?.profile?.trust.checksHost == true { CommonNames.refuse(tlsContext, openSSL) }
            HandleContext.from(user)?.handshakes.begin(
                tlsContext,
                on: handle.flatMap { HandshakeLimit.connectedSocket(among: $0.openedSockets) })
            openSSL.call.SSL_CTX_set_msg_callback(tlsContext) {
                isWritten, _, kind, bytes, count, connection, user in
                guard isWritten == 0, let context = HandleContext.from(user) else { return }
                switch kind {
                case OpenSSL.handshakeRecord:
                    guard let connection, let openSSL = OpenSSL.installed,
                        let tlsContext = openSSL.call.SSL_get_SSL_CTX(connection),
                        let socket = context.handshakes.note(count, of: tlsContext)
                    else { return }
                    context.watchdog.shutDown(socket, for: .handshake)
                case OpenSSL.alertRecord:
                    guard count == 2, let connection,
                        bytes?.load(fromByteOffset: 1, as: UInt8.self) == 0
                    else { return }
                    context.closingConnections.noteAnnouncement(on: connection)
                default: break
                }
            }
            _ = openSSL.call.SSL_CTX_ctrl(tlsContext, OpenSSL.setCallbackArgument, 0, user)
            return CURLE_OK
        }
        // The handle's context outlives every connection.
        try easy.set(
            CURLOPT_SSL_CTX_FUNCTION, callback: begin, data: CURLOPT_SSL_CTX_DATA, user: context.me)
    }
}
#endif

#if CURL
import CMoyaCurl

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

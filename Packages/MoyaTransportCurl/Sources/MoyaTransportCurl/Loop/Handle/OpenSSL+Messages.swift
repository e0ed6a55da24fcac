import CMoyaCurl
import Foundation

extension OpenSSL {
    /// Watches the messages of TLS that are no data of the application's, on each connection that `easy` makes.
    ///
    /// ``HandshakeLimit`` bounds handshake messages: OpenSSL stays inside the handshake for as long as the peer sends ones that
    /// it passes over. ``ClosingConnections`` hears of the alert close_notify.
    func watchMessages(of easy: EasyHandle, for driver: CurlDriver) throws(EasyHandle.OptionError) {
        // The driver outlives every connection.
        let driver = Unmanaged.passUnretained(driver).toOpaque()
        let code = moya_easy_set_tls_callback(easy.raw, driver) { easy, context, driver in
            guard let context, let openSSL = OpenSSL.installed else { return CURLE_OK }
            CurlDriver.from(driver)?.handshakes.begin(
                context, on: CurlHandle.of(easy)?.connectedSocket)
            openSSL.setMessageCallback(context) {
                isWritten, _, kind, bytes, count, connection, driver in
                guard isWritten == 0, let driver = CurlDriver.from(driver) else { return }
                switch kind {
                case OpenSSL.handshakeRecord:
                    guard let context = connection.flatMap({ OpenSSL.installed?.context($0) }),
                        let socket = driver.handshakes.note(count, of: context)
                    else { return }
                    driver.watchdog.shutDown(socket, for: .handshake)
                case OpenSSL.alertRecord:
                    guard count == 2, let connection,
                        bytes?.load(fromByteOffset: 1, as: UInt8.self) == 0
                    else { return }
                    driver.closingConnections.noteAnnouncement(on: connection)
                default: break
                }
            }
            _ = openSSL.control(context, OpenSSL.setCallbackArgument, 0, driver)
            return CURLE_OK
        }
        try easy.check(CURLOPT_SSL_CTX_FUNCTION, code)
    }
}

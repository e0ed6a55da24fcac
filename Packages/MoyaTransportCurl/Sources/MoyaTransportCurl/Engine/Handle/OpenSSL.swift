#if CURL
import CMoyaCurl
import MoyaCore

/// Functions of the OpenSSL that libcurl is linked with, for information that libcurl does not
/// provide: verified certificate chains and the results of handshakes.
///
/// They are looked up at run time, because libcurl may be built with another TLS library.
struct OpenSSL: Sendable {
    private typealias Name = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
    typealias MessageCallback =
        @convention(c) (
            Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void

    let setMessageCallback: @convention(c) (UnsafeMutableRawPointer, MessageCallback?) -> Void
    let control:
        @convention(c) (UnsafeMutableRawPointer, Int32, Int, UnsafeMutableRawPointer?) -> Int
    private let verifyResult: @convention(c) (OpaquePointer) -> Int
    private let verifiedChain: @convention(c) (OpaquePointer) -> OpaquePointer?
    let context: @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
    private let pending: @convention(c) (OpaquePointer) -> Int32
    private let shutdownState: @convention(c) (OpaquePointer) -> Int32
    private let selectedProtocol:
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt32>
        ) -> Void
    let count: @convention(c) (OpaquePointer) -> Int32
    let element: @convention(c) (OpaquePointer, Int32) -> OpaquePointer?
    private let encode:
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
        ) -> Int32
    private let version: Name
    private let cipher: @convention(c) (OpaquePointer) -> OpaquePointer?
    private let cipherName: Name

    // For `Defects/CommonNames.swift`.
    let verificationMode: @convention(c) (UnsafeMutableRawPointer) -> Int32
    let setVerification:
        @convention(c) (
            UnsafeMutableRawPointer, Int32, (@convention(c) (Int32, OpaquePointer?) -> Int32)?
        ) -> Void
    let errorDepth: @convention(c) (OpaquePointer) -> Int32
    let currentCertificate: @convention(c) (OpaquePointer) -> OpaquePointer?
    let setError: @convention(c) (OpaquePointer, Int32) -> Void
    let sentChain: @convention(c) (OpaquePointer) -> OpaquePointer?
    let decodedExtension:
        @convention(c) (
            OpaquePointer, Int32, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
        ) -> OpaquePointer?
    let freeNames: @convention(c) (OpaquePointer) -> Void

    /// `nil` if libcurl uses another TLS library, or the process cannot find its functions.
    ///
    /// All functions come from one place, because a program may have two copies of OpenSSL. Loaded
    /// libraries first: a program may link another TLS library with the same names.
    static let installed = (try? OpenSSL(.loaded)) ?? (try? OpenSSL(.linked))

    private init(_ find: ProcessSymbols) throws(ProcessSymbols.Missing) {
        let versionText: @convention(c) (Int32) -> UnsafePointer<CChar>? = try find(
            "OpenSSL_version")
        // A process may have loaded several OpenSSL libraries. Only libcurl's can read libcurl's
        // objects.
        guard let text = versionText(0).map({ String(cString: $0) }), text.hasPrefix("OpenSSL "),
            let number = text.split(separator: " ").dropFirst().first,
            CurlLibrary.openSSLNames.contains(where: {
                CurlLibrary.tls == $0 + number.prefix { $0 != "+" }
            })
        else { throw ProcessSymbols.Missing() }
        setMessageCallback = try find("SSL_CTX_set_msg_callback")
        control = try find("SSL_CTX_ctrl")
        verifyResult = try find("SSL_get_verify_result")
        verifiedChain = try find("SSL_get0_verified_chain")
        context = try find("SSL_get_SSL_CTX")
        pending = try find("SSL_pending")
        shutdownState = try find("SSL_get_shutdown")
        selectedProtocol = try find("SSL_get0_alpn_selected")
        count = try find("OPENSSL_sk_num")
        element = try find("OPENSSL_sk_value")
        encode = try find("i2d_X509")
        version = try find("SSL_get_version")
        cipher = try find("SSL_get_current_cipher")
        cipherName = try find("SSL_CIPHER_standard_name")
        verificationMode = try find("SSL_CTX_get_verify_mode")
        setVerification = try find("SSL_CTX_set_verify")
        errorDepth = try find("X509_STORE_CTX_get_error_depth")
        currentCertificate = try find("X509_STORE_CTX_get_current_cert")
        setError = try find("X509_STORE_CTX_set_error")
        sentChain = try find("SSL_get_peer_cert_chain")
        decodedExtension = try find("X509_get_ext_d2i")
        freeNames = try find("GENERAL_NAMES_free")
    }

    /// The result of the TLS handshake of the connection that `easy` uses. `nil` without TLS.
    func agreement(of easy: EasyHandle) -> TLSAgreement? {
        connection(of: easy).map {
            TLSAgreement(version: version($0), cipherSuite: cipher($0).flatMap(cipherName))
        }
    }

    /// Whether application data have been decrypted but not read.
    func hasPendingData(_ easy: EasyHandle) -> Bool {
        connection(of: easy).map { pending($0) > 0 } ?? false
    }

    /// Whether the server's close_notify has been read.
    func hasReceivedCloseNotify(_ easy: EasyHandle) -> Bool {
        // 2 is SSL_RECEIVED_SHUTDOWN.
        connection(of: easy).map { shutdownState($0) & 2 != 0 } ?? false
    }

    /// Whether ALPN selected HTTP/2 (RFC 7301).
    func speaksHTTP2(_ easy: EasyHandle) -> Bool {
        guard let connection = connection(of: easy) else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        selectedProtocol(connection, &name, &length)
        return length == 2 && name?[0] == UInt8(ascii: "h") && name?[1] == UInt8(ascii: "2")
    }

    /// The verified chain of the connection that `easy` uses: the server's certificate first, a
    /// trusted root last. `nil` if there is no chain, or a certificate cannot be encoded.
    func verifiedChain(of easy: EasyHandle) -> [ServerCertificate]? {
        // 0 is X509_V_OK.
        guard let connection = connection(of: easy), verifyResult(connection) == 0,
            let chain = verifiedChain(connection)
        else { return nil }
        let certificates = (0..<count(chain)).compactMap { index in
            element(chain, index).flatMap(certificate)
        }
        return certificates.isEmpty || certificates.count != Int(count(chain)) ? nil : certificates
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

    private func certificate(_ certificate: OpaquePointer) -> ServerCertificate? {
        let length = Int(encode(certificate, nil))
        guard length > 0 else { return nil }
        var der = Data(count: length)
        let written = der.withUnsafeMutableBytes { bytes in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return encode(certificate, &cursor)
        }
        return Int(written) == length ? ServerCertificate(der: der) : nil
    }
}

/// The result of a TLS handshake. The texts are OpenSSL's constants, which stay valid.
struct TLSAgreement {
    let version: UnsafePointer<CChar>?
    let cipherSuite: UnsafePointer<CChar>?
}
#endif

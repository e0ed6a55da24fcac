import CMoyaCurl
import Foundation
import MoyaCore

/// The OpenSSL that libcurl works with, for what libcurl does not tell: to whom a certificate was traced, and what the
/// handshake has agreed upon.
///
/// Looked up when it is needed rather than linked, as libcurl may have been built with another TLS library.
struct OpenSSL: Sendable {
    private typealias VersionText = @convention(c) (Int32) -> UnsafePointer<CChar>?
    private typealias VerifyResult = @convention(c) (OpaquePointer) -> Int
    private typealias VerifiedChain = @convention(c) (OpaquePointer) -> OpaquePointer?
    private typealias Count = @convention(c) (OpaquePointer) -> Int32
    private typealias Element = @convention(c) (OpaquePointer, Int32) -> OpaquePointer?
    private typealias Encode =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
        ) -> Int32

    private typealias Name = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
    private typealias SelectedProtocol =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt32>
        ) -> Void
    private typealias Pending = @convention(c) (OpaquePointer) -> Int32
    private typealias Cipher = @convention(c) (OpaquePointer) -> OpaquePointer?

    typealias MessageCallback =
        @convention(c) (
            Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void
    typealias SetMessageCallback =
        @convention(c) (UnsafeMutableRawPointer, MessageCallback?) -> Void
    typealias Control =
        @convention(c) (UnsafeMutableRawPointer, Int32, Int, UnsafeMutableRawPointer?) -> Int

    let setMessageCallback: SetMessageCallback
    let control: Control
    private let verifyResult: VerifyResult
    private let verifiedChain: VerifiedChain
    let context: @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
    private let pending: Pending
    private let selectedProtocol: SelectedProtocol
    private let count: Count
    private let element: Element
    private let encode: Encode
    private let version: Name
    private let cipher: Cipher
    private let cipherName: Name

    /// `nil` where libcurl uses another library, or its functions cannot be reached.
    static let installed = OpenSSL()

    private init?() {
        guard let process = ProcessSymbols() else { return nil }
        func find<Function>(_ name: String, as type: Function.Type) -> Function? {
            process.find(name, as: type)
        }
        // A process may hold several of them. Only the one that libcurl has can read what libcurl made.
        guard let text = find("OpenSSL_version", as: VersionText.self)?(0),
            String(cString: text).hasPrefix("OpenSSL "),
            let number = String(cString: text).split(separator: " ").dropFirst().first,
            // libcurl shows it by the name of the variant that it speaks HTTP/3 with.
            ["OpenSSL/", "quictls/"].contains(where: {
                CurlLibrary.tls == $0 + number.prefix { $0 != "+" }
            }),
            let setMessageCallback = find(
                "SSL_CTX_set_msg_callback", as: SetMessageCallback.self),
            let control = find("SSL_CTX_ctrl", as: Control.self),
            let verifyResult = find("SSL_get_verify_result", as: VerifyResult.self),
            let verifiedChain = find("SSL_get0_verified_chain", as: VerifiedChain.self),
            let context = find(
                "SSL_get_SSL_CTX",
                as: (@convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?).self),
            let pending = find("SSL_pending", as: Pending.self),
            let selectedProtocol = find("SSL_get0_alpn_selected", as: SelectedProtocol.self),
            let count = find("OPENSSL_sk_num", as: Count.self),
            let element = find("OPENSSL_sk_value", as: Element.self),
            let encode = find("i2d_X509", as: Encode.self),
            let version = find("SSL_get_version", as: Name.self),
            let cipher = find("SSL_get_current_cipher", as: Cipher.self),
            let cipherName = find("SSL_CIPHER_standard_name", as: Name.self)
        else { return nil }
        self.setMessageCallback = setMessageCallback
        self.control = control
        self.verifyResult = verifyResult
        self.verifiedChain = verifiedChain
        self.context = context
        self.pending = pending
        self.selectedProtocol = selectedProtocol
        self.count = count
        self.element = element
        self.encode = encode
        self.version = version
        self.cipher = cipher
        self.cipherName = cipherName
    }

    /// What the handshake of the connection that `easy` has now agreed upon. `nil` without TLS.
    func agreement(of easy: EasyHandle) -> TLSAgreement? {
        connection(of: easy).map {
            TLSAgreement(version: version($0), cipherSuite: cipher($0).flatMap(cipherName))
        }
    }

    /// Whether data of the application's have been decrypted and not read.
    func hasPendingData(_ easy: EasyHandle) -> Bool {
        connection(of: easy).map { pending($0) > 0 } ?? false
    }

    /// Whether the handshake has agreed upon HTTP/2 (RFC 7301).
    func speaksHTTP2(_ easy: EasyHandle) -> Bool {
        guard let connection = connection(of: easy) else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        selectedProtocol(connection, &name, &length)
        return name.map { Data(bytes: $0, count: Int(length)) } == Data("h2".utf8)
    }

    /// The chain that was verified for the connection `easy` has just been given: the server's certificate
    /// first, a root that is trusted last. `nil` where there is none, or where one of them cannot be read.
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

    /// `SSL3_RT_ALERT`: a level, and 0 for close_notify (RFC 8446, section 6).
    static let alertRecord: Int32 = 21
    /// `SSL3_RT_HANDSHAKE`
    static let handshakeRecord: Int32 = 22
    /// `SSL_CTRL_SET_MSG_CALLBACK_ARG`
    static let setCallbackArgument: Int32 = 16

    /// The TLS connection that `easy` has now. `nil` without TLS, or with another library's.
    func connection(of easy: EasyHandle) -> OpaquePointer? {
        var info: UnsafeMutableRawPointer?
        guard moya_easy_get_pointer(easy.raw, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK,
            let session = info?.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee,
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

/// What a TLS handshake has agreed upon, in OpenSSL's own texts, which never go away.
struct TLSAgreement {
    let version: UnsafePointer<CChar>?
    let cipherSuite: UnsafePointer<CChar>?
}

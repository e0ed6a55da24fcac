import CCurl
import Foundation
import MoyaCore

/// The OpenSSL that libcurl works with, for what libcurl does not tell: to whom a certificate was traced.
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

    private let verifyResult: VerifyResult
    private let verifiedChain: VerifiedChain
    private let count: Count
    private let element: Element
    private let encode: Encode

    /// `nil` where libcurl uses another library, or its functions cannot be reached.
    static let installed = OpenSSL()

    private init?() {
        guard let process = dlopen(nil, RTLD_LAZY) else { return nil }
        func find<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(process, name).map { unsafeBitCast($0, to: type) }
        }
        // A process may hold several of them. Only the one that libcurl has can read what libcurl made.
        guard let version = find("OpenSSL_version", as: VersionText.self)?(0),
            String(cString: version).hasPrefix("OpenSSL "),
            let number = String(cString: version).split(separator: " ").dropFirst().first,
            // libcurl shows it by the name of the variant that it speaks HTTP/3 with.
            ["OpenSSL/", "quictls/"].contains(where: {
                CurlLibrary.tls == $0 + number.prefix { $0 != "+" }
            }),
            let verifyResult = find("SSL_get_verify_result", as: VerifyResult.self),
            let verifiedChain = find("SSL_get0_verified_chain", as: VerifiedChain.self),
            let count = find("OPENSSL_sk_num", as: Count.self),
            let element = find("OPENSSL_sk_value", as: Element.self),
            let encode = find("i2d_X509", as: Encode.self)
        else { return nil }
        self.verifyResult = verifyResult
        self.verifiedChain = verifiedChain
        self.count = count
        self.element = element
        self.encode = encode
    }

    /// The chain that was verified for the connection `easy` has just been given: the server's certificate
    /// first, a root that is trusted last. `nil` where there is none, or where one of them cannot be read.
    func verifiedChain(of easy: EasyHandle) -> [ServerCertificate]? {
        var info: UnsafeMutableRawPointer?
        guard moya_easy_get_pointer(easy.raw, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK,
            let session = info?.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee,
            session.backend == CURLSSLBACKEND_OPENSSL,
            let connection = session.internals.map({ OpaquePointer($0) }),
            // 0 is X509_V_OK.
            verifyResult(connection) == 0, let chain = verifiedChain(connection)
        else { return nil }
        let certificates = (0..<count(chain)).compactMap { index in
            element(chain, index).flatMap(certificate)
        }
        return certificates.isEmpty || certificates.count != Int(count(chain)) ? nil : certificates
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

#if CURL
import CMoyaCurl
import Foundation

// Certificates that name their host in the subject's common name alone. libcurl accepts them, but
// only the subjectAltName counts (RFC 9525, section 6.3): an authority need not verify a common
// name.
extension OpenSSL {
    /// `X509_V_ERR_HOSTNAME_MISMATCH`. libcurl compares host names itself, and reports another
    /// error.
    static let hostMismatch: Int = 62
    static let commonNameAdvice =
        "The certificate has no subjectAltName with a host name or an IP address."

    /// Makes handshakes of `tlsContext` fail if the server's certificate has no host in its
    /// subjectAltName.
    func refuseCommonNames(_ tlsContext: UnsafeMutableRawPointer) {
        setVerification(tlsContext, verificationMode(tlsContext)) { isValid, verification in
            guard isValid == 1, let verification, let openSSL = OpenSSL.installed,
                openSSL.errorDepth(verification) == 0,
                let certificate = openSSL.currentCertificate(verification),
                !openSSL.namesHost(certificate)
            else { return isValid }
            openSSL.setError(verification, Int32(OpenSSL.hostMismatch))
            return 0
        }
    }

    /// Whether the certificate of the connection that `easy` uses has no host in its
    /// subjectAltName.
    func serverHasCommonNameOnly(_ easy: EasyHandle) -> Bool {
        connection(of: easy).flatMap(sentChain).flatMap { element($0, 0) }.map { !namesHost($0) }
            ?? false
    }

    private func namesHost(_ certificate: OpaquePointer) -> Bool {
        // 85 is NID_subject_alt_name.
        guard let names = decodedExtension(certificate, 85, nil, nil) else { return false }
        defer { freeNames(names) }
        return (0..<count(names)).contains { index in
            // A GENERAL_NAME begins with its type. 2 is GEN_DNS, 7 is GEN_IPADD.
            element(names, index).map {
                [2, 7].contains(UnsafeRawPointer($0).load(as: Int32.self))
            } ?? false
        }
    }
}
#endif

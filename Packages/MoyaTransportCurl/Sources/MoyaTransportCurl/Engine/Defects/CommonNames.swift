#if CURL
// Versions: all.
// Test: CommonNamesTests.
// Without them: nothing.

/// Certificates that name their host in the subject's common name alone. libcurl accepts them, but
/// only the subjectAltName counts (RFC 9525, section 6.3): an authority need not verify a common
/// name.
enum CommonNames {
    /// `X509_V_ERR_HOSTNAME_MISMATCH`. libcurl compares host names itself, and reports another
    /// error.
    static let hostMismatch: Int = 62
    static let advice = "The certificate has no subjectAltName with a host name or an IP address."

    /// Makes handshakes of `tlsContext` fail if the server's certificate has no host in its
    /// subjectAltName.
    static func refuse(_ tlsContext: UnsafeMutableRawPointer, _ openSSL: OpenSSL) {
        let mode = openSSL.call.SSL_CTX_get_verify_mode(tlsContext)
        openSSL.call.SSL_CTX_set_verify(tlsContext, mode) { isValid, verification in
            guard isValid == 1, let verification, let openSSL = OpenSSL.installed,
                openSSL.call.X509_STORE_CTX_get_error_depth(verification) == 0,
                let certificate = openSSL.call.X509_STORE_CTX_get_current_cert(verification),
                !CommonNames.namesHost(certificate, openSSL)
            else { return isValid }
            openSSL.call.X509_STORE_CTX_set_error(verification, Int32(CommonNames.hostMismatch))
            return 0
        }
    }

    /// Whether the certificate of the connection that `easy` uses has no host in its
    /// subjectAltName.
    static func isAll(in easy: EasyHandle) -> Bool {
        guard let openSSL = OpenSSL.installed, let connection = openSSL.connection(of: easy),
            let certificate = openSSL.elements(
                of: openSSL.call.SSL_get_peer_cert_chain(connection)
            ).first
        else { return false }
        return !CommonNames.namesHost(certificate, openSSL)
    }

    private static func namesHost(_ certificate: OpaquePointer, _ openSSL: OpenSSL) -> Bool {
        // 85 is NID_subject_alt_name.
        guard let names = openSSL.call.X509_get_ext_d2i(certificate, 85, nil, nil) else {
            return false
        }
        defer { openSSL.call.GENERAL_NAMES_free(names) }
        // A GENERAL_NAME begins with its type. 2 is GEN_DNS, 7 is GEN_IPADD.
        return openSSL.elements(of: names).contains {
            [2, 7].contains(UnsafeRawPointer($0).load(as: Int32.self))
        }
    }
}
#endif

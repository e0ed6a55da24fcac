#if CURL
import CMoyaCurl
import MoyaCore

/// Sets a handle's options of the network: name resolution, proxies and TLS.
struct NetworkOptions {
    let easy: EasyHandle
    let context: HandleContext

    private var configuration: CurlTransport.Configuration { context.configuration }

    func setNetwork() throws(CurlError) {
        let network = configuration.network
        if let overrides = context.hostOverrides {
            try easy.set(CURLOPT_RESOLVE, pointer: overrides)
        }
        if let url = network.dnsOverHTTPS { try easy.set(CURLOPT_DOH_URL, url.absoluteString) }
        if let interface = network.interfaceOption { try easy.set(CURLOPT_INTERFACE, interface) }
        switch network.ipVersion {
        case .any: break
        case .v4: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .v6: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        try easy.set(
            CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS,
            CurlHandle.milliseconds(network.happyEyeballsTimeout))
        if let socket = network.unixSocket { try easy.set(CURLOPT_UNIX_SOCKET_PATH, socket.path) }
    }

    func setProxy(_ profile: HandleProfile) throws(CurlError) {
        let proxy = configuration.proxy
        switch proxy.kind {
        case .none: return try easy.set(CURLOPT_PROXY, "")
        case .environment:
            if CurlLibrary.hasHTTPSProxy { try setProxyTLS() }
        case .url(let url):
            try easy.set(CURLOPT_PROXY, url.absoluteString)
            // Without this, the environment's no_proxy would apply to this proxy.
            try easy.set(CURLOPT_NOPROXY, "")
            if url.scheme?.lowercased() == "https" { try setProxyTLS() }
        }
        // A proxy's answer to CONNECT is no response of the server.
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if let user = proxy.user {
            try easy.set(CURLOPT_PROXYUSERNAME, user)
            try easy.set(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
        }
        if proxy.mayHaveCredential { try setProxyScheme(profile) }
        if let fields = context.proxyFields { try easy.set(CURLOPT_PROXYHEADER, pointer: fields) }
        if !proxy.excludedHosts.isEmpty { try easy.set(CURLOPT_NOPROXY, proxy.exceptions) }
    }

    /// Basic is sent without a challenge, as the curl program does: a request that a proxy refuses
    /// may spoil its connection (Squid). Asking for a challenge first would not protect the
    /// password either: anyone who can read it on the way can challenge with Basic. Digest needs
    /// the challenge, after which the connection of a request with a body is not used again.
    private func setProxyScheme(_ profile: HandleProfile) throws(CurlError) {
        switch profile.proxyScheme {
        case .basic: try easy.set(CURLOPT_PROXYAUTH, profile.proxyScheme.mask)
        case .digest:
            try easy.set(CURLOPT_PROXYAUTH, moya_auth_when_asked(profile.proxyScheme.mask))
            if !profile.isSecure, profile.body != .none { try easy.set(CURLOPT_FORBID_REUSE, true) }
        }
    }

    /// Applies the servers' TLS settings to an `https` proxy, except for the client certificate.
    private func setProxyTLS() throws(CurlError) {
        let tls = configuration.tls
        if let openSSL = OpenSSL.installed { try openSSL.watchMessages(of: easy, for: context) }
        try easy.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersion.option)
        try setTrust(tls.trust, for: .proxy)
        if let suites = tls.cipherSuites { try easy.set(CURLOPT_PROXY_SSL_CIPHER_LIST, suites) }
        if let suites = tls.tls13CipherSuites { try easy.set(CURLOPT_PROXY_TLS13_CIPHERS, suites) }
    }

    func setTLS(_ profile: HandleProfile) throws(CurlError) {
        let tls = configuration.tls
        try easy.set(CURLOPT_SSLVERSION, minimumVersion.option)
        if let openSSL = OpenSSL.installed { try openSSL.watchMessages(of: easy, for: context) }
        try setTrust(tls.trust)
        try setIdentity(tls.identity)
        if let suites = tls.cipherSuites { try easy.set(CURLOPT_SSL_CIPHER_LIST, suites) }
        if let suites = tls.tls13CipherSuites { try easy.set(CURLOPT_TLS13_CIPHERS, suites) }
        if tls.requiresStapledStatus {
            try easy.set(CURLOPT_SSL_VERIFYSTATUS, true)
            // libcurl expects a stapled status also for a resumed session, which has none.
            try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
        }
        if let pins = profile.trust.pins { try easy.set(CURLOPT_PINNEDPUBLICKEY, pins) }
        if let validation = profile.trust.validation { try setValidation(validation) }
        if !profile.trust.isVerified {
            try easy.set(CURLOPT_SSL_VERIFYPEER, false)
            try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    /// The oldest TLS version for servers.
    private var minimumVersion: CurlTransport.Configuration.TLS.Version {
        switch configuration.httpVersion {
        case .http3 where QUICVersions.areTooOld, .http3Only: .tls13
        default: configuration.tls.minimumVersion
        }
    }

    /// The peer whose certificate is verified.
    enum Peer {
        case server, proxy
    }

    func setTrust(
        _ trust: CurlTransport.Configuration.TLS.Trust, for peer: Peer = .server
    ) throws(CurlError) {
        let (file, folder) =
            peer == .proxy
            ? (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH) : (CURLOPT_CAINFO, CURLOPT_CAPATH)
        switch trust {
        case .system:
            switch configuration.tls.authorities {
            case .libcurl, .missing: return
            case .file(let path): try easy.set(file, path)
            case .folder(let path):
                try easy.set(file, pointer: nil)
                return try easy.set(folder, path)
            }
        case .file(let url): try easy.set(file, url.path)
        case .data(let data):
            try easy.set(peer == .proxy ? CURLOPT_PROXY_CAINFO_BLOB : CURLOPT_CAINFO_BLOB, data)
        }
        // Without this, the system's certificate folder would be trusted as well.
        try easy.set(folder, pointer: nil)
    }

    private func setIdentity(
        _ identity: CurlTransport.Configuration.TLS.Identity?
    ) throws(CurlError) {
        guard let identity else { return }
        switch identity.kind {
        case .pem(let certificate, let key):
            try set(certificate, file: CURLOPT_SSLCERT, data: CURLOPT_SSLCERT_BLOB)
            try set(key, file: CURLOPT_SSLKEY, data: CURLOPT_SSLKEY_BLOB)
        case .pkcs12(let bundle):
            try easy.set(CURLOPT_SSLCERTTYPE, "P12")
            try set(bundle, file: CURLOPT_SSLCERT, data: CURLOPT_SSLCERT_BLOB)
        }
        // Without a password OpenSSL prompts for one at the terminal for a key in a file, and
        // libcurl dereferences a null pointer for a key in memory.
        try easy.set(CURLOPT_KEYPASSWD, identity.password ?? "")
    }

    private func set(
        _ source: CurlTransport.Configuration.TLS.Identity.Source, file fileOption: CURLoption,
        data dataOption: CURLoption
    ) throws(CurlError) {
        switch source {
        case .file(let file): try easy.set(fileOption, file.path)
        case .data(let data): try easy.set(dataOption, data)
        }
    }

    private func setValidation(_ validation: TrustValidation) throws(CurlError) {
        if !validation.validatesChain { try easy.set(CURLOPT_SSL_VERIFYPEER, false) }
        if !validation.validatesHost { try easy.set(CURLOPT_SSL_VERIFYHOST, 0) }
        if validation.checksRevocation { try easy.set(CURLOPT_SSL_VERIFYSTATUS, true) }
        if let anchors = validation.anchors {
            try setTrust(.data(Data(anchors.map(\.pem).joined().utf8)))
        }
        try easy.set(CURLOPT_CERTINFO, true)
        if configuration.network.unixSocket != nil { try easy.set(CURLOPT_FORBID_REUSE, true) }
        // A resumed session need not include the certificates (RFC 8446, section 2.2).
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
    }
}

extension CurlTransport.Configuration.TLS.Version {
    /// libcurl's value for this version or later.
    fileprivate var option: Int {
        switch self {
        case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
        case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}

/// An authentication scheme for proxies.
enum ProxyScheme {
    case basic, digest

    /// libcurl's bit for the scheme.
    var mask: Int { self == .basic ? moya_auth_mask(1, 0, 0) : moya_auth_mask(0, 1, 0) }

    /// The other scheme, if a challenge offers it and not this one.
    ///
    /// - Parameter offers: The bits of `CURLINFO_PROXYAUTH_AVAIL`.
    func replacement(among offers: Int) -> ProxyScheme? {
        let other = self == .basic ? ProxyScheme.digest : .basic
        return offers & mask == 0 && offers & other.mask != 0 ? other : nil
    }

    /// Whether the proxy has refused the attempt's authentication scheme and offers another, which
    /// is then used for the transfer's next attempt, and for later transfers.
    ///
    /// - Parameter status: The status of a response. That of a server counts neither without a
    ///   proxy nor at the end of a tunnel.
    static func isLearned(by attempt: Attempt, status: Int) -> Bool {
        guard status == 407, attempt.handle.profile?.isSecure == false else { return false }
        let configuration = attempt.handle.context.configuration
        return configuration.network.unixSocket == nil
            && configuration.proxy.hasCredential(forPlain: attempt.url?.host ?? "")
            && isOffered(to: attempt)
    }

    /// Like ``isLearned(by:status:)``, for a tunnel that the proxy has refused: libcurl does not
    /// show its response.
    static func isLearned(by attempt: Attempt, after code: CURLcode) -> Bool {
        code != CURLE_OK && attempt.failure == nil
            && attempt.easy.long(CURLINFO_HTTP_CONNECTCODE) == 407
            && attempt.handle.context.configuration.proxy.mayHaveCredential
            && isOffered(to: attempt)
    }

    private static func isOffered(to attempt: Attempt) -> Bool {
        guard !attempt.transfer.repeats.hasOtherProxyScheme,
            let scheme = attempt.handle.profile?.proxyScheme.replacement(
                among: attempt.easy.long(CURLINFO_PROXYAUTH_AVAIL))
        else { return false }
        attempt.handle.context.proxyScheme = scheme
        attempt.transfer.repeats.hasOtherProxyScheme = true
        return true
    }
}
#endif

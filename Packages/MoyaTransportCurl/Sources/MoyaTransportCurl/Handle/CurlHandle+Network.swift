#if CURL
import CMoyaCurl
import Foundation

// What stands between the handle and the server: names, proxies, TLS.
extension CurlHandle {
    func setNetwork() throws(Failure) {
        let network = configuration.network
        if let overrides = context.hostOverrides {
            try easy.set(CURLOPT_RESOLVE, pointer: overrides)
        }
        if let url = network.dnsOverHTTPS { try easy.set(CURLOPT_DOH_URL, url.absoluteString) }
        if let interface = network.interface { try easy.set(CURLOPT_INTERFACE, interface) }
        switch network.ipVersion {
        case .any: break
        case .v4: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .v6: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        try easy.set(
            CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, Self.milliseconds(network.happyEyeballsTimeout))
        if let socket = network.unixSocket { try easy.set(CURLOPT_UNIX_SOCKET_PATH, socket.path) }
    }

    func setProxy() throws(Failure) {
        let proxy = configuration.proxy
        switch proxy.kind {
        case .none: return try easy.set(CURLOPT_PROXY, "")
        case .environment:
            if CurlLibrary.hasHTTPSProxy { try setProxyTLS() }
        case .url(let url):
            try easy.set(CURLOPT_PROXY, url.absoluteString)
            // Otherwise the environment's exceptions would count for it.
            try easy.set(CURLOPT_NOPROXY, "")
            if url.scheme?.lowercased() == "https" { try setProxyTLS() }
        }
        if let user = proxy.user {
            try easy.set(CURLOPT_PROXYUSERNAME, user)
            try easy.set(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
            try easy.set(CURLOPT_PROXYAUTH, moya_auth_mask(1, 1, 0))
        }
        if let fields = context.proxyFields {
            try easy.set(CURLOPT_PROXYHEADER, pointer: fields)
        }
        if !proxy.excludedHosts.isEmpty { try easy.set(CURLOPT_NOPROXY, proxy.exceptions) }
    }

    /// What goes for servers goes for a proxy over TLS. Only who calls is told to servers alone.
    private func setProxyTLS() throws(Failure) {
        let tls = configuration.tls
        try easy.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersion.option)
        try setTrust(tls.trust, for: .proxy)
        if let suites = tls.cipherSuites { try easy.set(CURLOPT_PROXY_SSL_CIPHER_LIST, suites) }
        if let suites = tls.tls13CipherSuites { try easy.set(CURLOPT_PROXY_TLS13_CIPHERS, suites) }
    }

    func setTLS(_ profile: HandleProfile) throws(Failure) {
        let tls = configuration.tls
        try easy.set(CURLOPT_SSLVERSION, minimumVersion.option)
        if let openSSL = OpenSSL.installed { try openSSL.watchMessages(of: easy, for: context) }
        try setTrust(tls.trust)
        try setIdentity(tls.identity)
        if let suites = tls.cipherSuites { try easy.set(CURLOPT_SSL_CIPHER_LIST, suites) }
        if let suites = tls.tls13CipherSuites { try easy.set(CURLOPT_TLS13_CIPHERS, suites) }
        if tls.requiresStapledStatus {
            try easy.set(CURLOPT_SSL_VERIFYSTATUS, true)
            // A session that is resumed comes without a status, and libcurl asks for one all the same.
            try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
        }
        if let pins = profile.pins { try easy.set(CURLOPT_PINNEDPUBLICKEY, pins) }
        if let validation = profile.validation { try setValidation(validation) }
        if !profile.isVerified {
            try easy.set(CURLOPT_SSL_VERIFYPEER, false)
            try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    /// The oldest version that is spoken to servers.
    private var minimumVersion: CurlTransport.Configuration.TLS.Version {
        switch configuration.httpVersion {
        // QUIC knows nothing older. A libcurl before 8.17 offers it all the same where it may, and servers
        // refuse that. It takes one answer for QUIC and for what may be spoken in its place.
        case .http3 where CurlLibrary.version < 0x081100, .http3Only: .tls13
        default: configuration.tls.minimumVersion
        }
    }

    /// Whose certificate is judged.
    enum Peer {
        case server, proxy
    }

    func setTrust(
        _ trust: CurlTransport.Configuration.TLS.Trust, for peer: Peer = .server
    ) throws(Failure) {
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
            try easy.set(
                peer == .proxy ? CURLOPT_PROXY_CAINFO_BLOB : CURLOPT_CAINFO_BLOB, data)
        }
        // Otherwise the system's folder of certificates would count as well.
        try easy.set(folder, pointer: nil)
    }

    private func setIdentity(
        _ identity: CurlTransport.Configuration.TLS.Identity?
    ) throws(Failure) {
        guard let identity else { return }
        switch identity.kind {
        case .pem(let certificate, let key):
            try setCertificate(certificate)
            switch key {
            case .file(let file): try easy.set(CURLOPT_SSLKEY, file.path)
            case .data(let data): try easy.set(CURLOPT_SSLKEY_BLOB, data)
            }
        case .pkcs12(let bundle):
            try easy.set(CURLOPT_SSLCERTTYPE, "P12")
            try setCertificate(bundle)
        }
        // Without one, OpenSSL asks at the terminal for what opens a file, and libcurl reads at nil for a key in memory.
        try easy.set(CURLOPT_KEYPASSWD, identity.password ?? "")
    }

    private func setCertificate(
        _ source: CurlTransport.Configuration.TLS.Identity.Source
    ) throws(Failure) {
        switch source {
        case .file(let file): try easy.set(CURLOPT_SSLCERT, file.path)
        case .data(let data): try easy.set(CURLOPT_SSLCERT_BLOB, data)
        }
    }
}

extension CurlTransport.Configuration.TLS.Version {
    /// What libcurl calls this and everything newer.
    fileprivate var option: Int {
        switch self {
        case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
        case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}

extension CurlTransport.Configuration.Proxy {
    /// The hosts that are reached without it, as libcurl takes them. It takes them in place of the environment's.
    var exceptions: String {
        var hosts = excludedHosts
        if kind == .environment, let more = ProxyEnvironment.exceptions { hosts.append(more) }
        // It stands for all only if it stands alone.
        return hosts.contains("*") ? "*" : hosts.joined(separator: ",")
    }
}
#endif

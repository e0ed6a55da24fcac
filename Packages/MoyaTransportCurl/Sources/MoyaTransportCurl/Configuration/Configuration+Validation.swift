#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

extension CurlTransport.Configuration {
    typealias Failure = CurlTransport.ConfigurationError

    /// Checks this configuration against the libcurl that is installed.
    func validate() throws(Failure) {
        try CurlLibrary.load()
        try validateTimes()
        try validateTexts()
        try validateProtocols()
        try validateTLS()
        try validateNetwork()
        if case .file(let url) = cookies { try CookieFile.check(url) }
    }

    private func validateTimes() throws(Failure) {
        let times: [(String, TimeInterval?)] = [
            ("connectTimeout", connectTimeout), ("exchangeTimeout", exchangeTimeout),
            ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout),
            ("connectionWaitTimeout", connectionWaitTimeout),
            ("expectContinueTimeout", expectContinueTimeout),
            ("minimumSpeed.duration", minimumSpeed?.duration),
            ("keepAlive.idle", keepAlive?.idle), ("keepAlive.interval", keepAlive?.interval),
            ("network.happyEyeballsTimeout", network.happyEyeballsTimeout),
        ]
        for case (let name, let seconds?) in times where !seconds.isFinite || seconds < 0 {
            throw Failure("\(name) is \(seconds), which is no number of seconds.")
        }
    }

    /// What goes into messages as it is.
    private func validateTexts() throws(Failure) {
        let texts = [
            ("userAgent", userAgent), ("proxy.user", proxy.user),
            ("proxy.password", proxy.password), ("tls.identity's password", tls.identity?.password),
        ]
        for case (let name, let text?) in texts where RequestValidation.hasControlCharacter(text) {
            throw Failure("\(name) holds a control character. Remove CR, LF and NUL from it.")
        }
        do {
            try RequestValidation.validate(proxy.fields)
        } catch {
            throw Failure("proxy.fields: \(error.localizedDescription)")
        }
    }

    private func validateProtocols() throws(Failure) {
        let library = CurlLibrary.name
        switch httpVersion {
        case .http2PriorKnowledge where !CurlLibrary.hasHTTP2:
            throw Failure("\(library) is built without HTTP/2. Use .automatic or .http1.")
        case .http3, .http3Only:
            guard CurlLibrary.hasHTTP3 else {
                throw Failure("\(library) is built without HTTP/3. Use .automatic.")
            }
            try validateHTTP3()
        default: break
        }
        if authentication.contains(.negotiate), !CurlLibrary.hasNegotiate {
            throw Failure("\(library) is built without GSS-API. Leave out .negotiate.")
        }
    }

    private func validateHTTP3() throws(Failure) {
        // OpenSSL's pins count since 8.8, and wolfSSL's since 8.14.
        let asksForMore =
            !tls.pinnedKeys.isEmpty || tls.requiresStapledStatus || tls.serverTrustManager != nil
        if asksForMore, CurlLibrary.version < 0x080E00 {
            throw Failure(
                "\(CurlLibrary.name) does not check everything over HTTP/3 that it is told to; 8.14 and "
                    + "later do. Use .automatic beside pins, stapled status and evaluators.")
        }
        guard httpVersion == .http3Only else { return }
        guard CurlLibrary.version >= 0x075800 else {
            throw Failure(
                "\(CurlLibrary.name) cannot speak HTTP/3 alone; 7.88 and later can. Use .http3.")
        }
        if case .url = proxy.kind { throw Failure("No proxy carries HTTP/3. Use .http3.") }
        if network.unixSocket != nil {
            throw Failure("No Unix domain socket carries HTTP/3. Use .http3.")
        }
    }

    private func validateTLS() throws(Failure) {
        switch tls.trust {
        case .system: break
        case .file(let url): try check(url, "certificate file")
        case .data(let data):
            guard CurlLibrary.version >= 0x074D00 else {
                throw Failure("\(CurlLibrary.name) takes certificates from files alone. Use .file.")
            }
            guard data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
                throw Failure("The certificate data holds no certificate in PEM form.")
            }
        }
        try validateIdentity()
        if tls.serverTrustManager != nil, CurlLibrary.version < 0x075000 {
            throw Failure(
                "\(CurlLibrary.name) cannot show certificates before it sends; 7.80 and later can. "
                    + "Use tls.pinnedKeys.")
        }
        for (host, pins) in tls.pinnedKeys {
            if pins.isEmpty { throw Failure("\(host) has no pinned key, so nothing would pass.") }
            for pin in pins where Data(base64Encoded: pin)?.count != 32 {
                throw Failure("The pin \(pin) of \(host) is no SHA-256 hash in Base64.")
            }
        }
    }

    private func validateIdentity() throws(Failure) {
        switch tls.identity?.kind {
        case .pem(let certificate, let key):
            try check(certificate, "client's certificate") { $0.holdsPEM("CERTIFICATE") }
            try check(key, "client's key") { $0.holdsPEM("PRIVATE KEY") }
        // DER of a sequence.
        case .pkcs12(let bundle): try check(bundle, "client's PKCS#12") { $0.first == 0x30 }
        case nil: break
        }
    }

    private func check(
        _ source: TLS.Identity.Source, _ what: String, _ isLikely: (Data) -> Bool
    ) throws(Failure) {
        switch source {
        case .file(let file): try check(file, what + " file")
        case .data(let data):
            // libcurl would leave it out without a word.
            guard !CurlLibrary.tls.hasPrefix("GnuTLS") else {
                throw Failure(
                    "\(CurlLibrary.name) over \(CurlLibrary.tls) takes a \(what) from files alone. Use a file."
                )
            }
            guard isLikely(data) else { throw Failure("The \(what) data holds none.") }
        }
    }

    private func validateNetwork() throws(Failure) {
        if case .url(let url) = proxy.kind {
            let scheme = url.scheme?.lowercased() ?? ""
            guard Proxy.schemes.contains(scheme), url.host?.isEmpty == false else {
                let known = Proxy.schemes.sorted().joined(separator: ", ")
                throw Failure("The proxy's URL needs a host and one of the schemes \(known).")
            }
            if let port = url.port, !(1...65535).contains(port) {
                throw Failure("The proxy's port is \(port), which is no port from 1 to 65535.")
            }
            if scheme == "https", !CurlLibrary.hasHTTPSProxy {
                throw Failure("\(CurlLibrary.name) is built without HTTPS proxies.")
            }
        }
        if case .url = proxy.kind, network.unixSocket != nil {
            throw Failure(
                "No proxy is reached over a Unix domain socket. Use proxy .none or no unixSocket.")
        }
        if let url = network.dnsOverHTTPS { try validateWay(to: url) }
        for override in network.hostOverrides {
            let texts = [override.host] + override.addresses
            let isClean = texts.allSatisfy {
                !$0.isEmpty && !$0.contains(where: " ,\r\n\0".contains)
            }
            guard isClean, !override.addresses.isEmpty, (1...65535).contains(override.port) else {
                throw Failure("The override of \(override.host) needs addresses and a port.")
            }
        }
    }

    /// libcurl asks a server for names with a transfer of its own, which knows the environment's proxy and no
    /// other, and no interface. No name is to leave by another way than the request it is for was told to take.
    private func validateWay(to nameServer: URL) throws(Failure) {
        guard nameServer.scheme?.lowercased() == "https", let host = nameServer.host else {
            throw Failure("dnsOverHTTPS needs an https URL.")
        }
        switch proxy.kind {
        case .environment: break
        case .url:
            throw Failure(
                "libcurl asks dnsOverHTTPS past the proxy. Leave names to a proxy: socks5h, http or https."
            )
        case .none where ProxyEnvironment.hasProxy(forSecure: host):
            throw Failure(
                "libcurl asks dnsOverHTTPS through the environment's proxy. Name \(host) in no_proxy, or use "
                    + "proxy .environment.")
        case .none: break
        }
        if network.interface != nil {
            throw Failure("libcurl asks dnsOverHTTPS from any interface. Leave out one of both.")
        }
    }

    private func check(_ file: URL, _ what: String) throws(Failure) {
        guard file.isFileURL, FileManager.default.isReadableFile(atPath: file.path) else {
            throw Failure("The \(what) \(file.path) cannot be read.")
        }
    }

    /// Whether a connection may carry several requests. With prior knowledge and in the clear, libcurl before 8.0
    /// fails with each request on it but the first.
    func sharesConnections(isSecure: Bool) -> Bool {
        isSecure || httpVersion != .http2PriorKnowledge || CurlLibrary.version >= 0x080000
    }

    /// How many connections there may be: as many as are asked for, and as the process may open. Whatever
    /// more there is to do waits instead of failing.
    var connectionLimit: Int {
        guard let limit = DescriptorTable.processLimit else { return max(0, maxConnections) }
        // A quarter is left to the rest of the process, and to files.
        let possible = max(8, limit * 3 / 4)
        return maxConnections > 0 ? min(maxConnections, possible) : possible
    }
}

extension Data {
    /// Whether there is something of this kind in PEM form (RFC 7468), whatever else is said of it.
    fileprivate func holdsPEM(_ label: String) -> Bool {
        range(of: Data("-----BEGIN ".utf8)) != nil && range(of: Data("\(label)-----".utf8)) != nil
    }
}

extension CurlLibrary {
    /// Makes libcurl ready, once for the process.
    static func load() throws(CurlTransport.ConfigurationError) {
        guard initialization == CURLE_OK else {
            throw CurlTransport.ConfigurationError(
                "libcurl cannot be used: \(CurlError(initialization).message).")
        }
    }
}
#endif

#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

extension CurlTransport.Configuration {
    typealias Failure = CurlTransport.ConfigurationError

    /// Checks this configuration, also against the features of the installed libcurl.
    ///
    /// - Throws: ``CurlTransport/ConfigurationError`` for the first setting that is invalid or
    ///   unsupported.
    func validate() throws(Failure) {
        try CurlLibrary.load()
        try validateTimes()
        try validateTexts()
        try validateProtocols()
        try validateTLS()
        try validateNetwork()
        if case .file(let url) = cookies { _ = try CookieFile.lines(of: url) }
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
            throw Failure("\(name) is \(seconds) seconds, but must be finite and 0 or more.")
        }
    }

    /// Checks texts that are sent in messages without encoding.
    private func validateTexts() throws(Failure) {
        let texts = [
            ("userAgent", userAgent), ("proxy.user", proxy.user),
            ("proxy.password", proxy.password), ("tls.identity's password", tls.identity?.password),
        ]
        for case (let name, let text?) in texts where RequestValidation.hasControlCharacter(text) {
            throw Failure(
                "\(name) contains a control character, such as a line break. Remove it.")
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
        // libcurl checks public key pins over HTTP/3 since 8.8 with OpenSSL, and since 8.14 with
        // wolfSSL.
        let asksForMore =
            !tls.pinnedKeys.isEmpty || tls.requiresStapledStatus || tls.serverTrustManager != nil
        if asksForMore, CurlLibrary.version < 0x080E00 {
            throw Failure(
                "\(CurlLibrary.name) does not check tls.pinnedKeys, tls.requiresStapledStatus and "
                    + "tls.serverTrustManager over HTTP/3; 8.14 and later do. Use httpVersion "
                    + ".automatic with them.")
        }
        guard httpVersion == .http3Only else { return }
        guard CurlLibrary.version >= 0x075800 else {
            throw Failure(
                "\(CurlLibrary.name) cannot be limited to HTTP/3; 7.88 and later can. Use .http3.")
        }
        if case .url = proxy.kind { throw Failure("HTTP/3 cannot use a proxy. Use .http3.") }
        if network.unixSocket != nil {
            throw Failure("HTTP/3 cannot use a Unix domain socket. Use .http3.")
        }
    }

    private func validateTLS() throws(Failure) {
        switch tls.trust {
        case .system: break
        case .file(let url): try check(url, "tls.trust's certificate file")
        case .data(let data):
            guard CurlLibrary.version >= 0x074D00 else {
                throw Failure("\(CurlLibrary.name) reads certificates from files only. Use .file.")
            }
            guard data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
                throw Failure(
                    "tls.trust's data contains no PEM certificate (-----BEGIN CERTIFICATE-----).")
            }
        }
        try validateIdentity()
        if tls.serverTrustManager != nil, CurlLibrary.version < 0x075000 {
            throw Failure(
                "\(CurlLibrary.name) does not provide the server's certificates before it sends "
                    + "the request, as tls.serverTrustManager needs; 7.80 and later do. Use "
                    + "tls.pinnedKeys.")
        }
        for (host, pins) in tls.pinnedKeys {
            if pins.isEmpty {
                throw Failure(
                    "tls.pinnedKeys for \(host) is empty: every certificate would be refused. "
                        + "Add a pin, or remove the entry.")
            }
            for pin in pins where Data(base64Encoded: pin)?.count != 32 {
                throw Failure(
                    "tls.pinnedKeys for \(host) contains \(pin.debugDescription), which is not a "
                        + "SHA-256 hash in Base64. Pass 44 characters, without \"sha256//\".")
            }
        }
    }

    private func validateIdentity() throws(Failure) {
        switch tls.identity?.kind {
        case .pem(let certificate, let key):
            try check(
                certificate, "tls.identity's certificate",
                content: "PEM certificate (-----BEGIN CERTIFICATE-----)"
            ) { $0.holdsPEM("CERTIFICATE") }
            try check(
                key, "tls.identity's key", content: "PEM key (-----BEGIN PRIVATE KEY-----)"
            ) { $0.holdsPEM("PRIVATE KEY") }
        case .pkcs12(let bundle):
            // PKCS#12 is DER: its first byte is the tag of a SEQUENCE.
            try check(
                bundle, "tls.identity's PKCS#12",
                content: "PKCS#12 archive (the content of a .p12 or .pfx file)"
            ) { $0.first == 0x30 }
        case nil: break
        }
    }

    private func check(
        _ source: TLS.Identity.Source, _ what: String, content: String,
        _ isLikely: (Data) -> Bool
    ) throws(Failure) {
        switch source {
        case .file(let file): try check(file, what + " file")
        case .data(let data):
            // libcurl over GnuTLS ignores data without reporting an error.
            guard !CurlLibrary.tls.hasPrefix("GnuTLS") else {
                throw Failure(
                    "\(CurlLibrary.name) with \(CurlLibrary.tls) reads \(what) from files only. "
                        + "Pass a file.")
            }
            guard isLikely(data) else {
                throw Failure("\(what) data contains no \(content).")
            }
        }
    }

    private func validateNetwork() throws(Failure) {
        if case .url(let url) = proxy.kind {
            let scheme = url.scheme?.lowercased() ?? ""
            guard Proxy.schemes.contains(scheme), url.host?.isEmpty == false else {
                let known = Proxy.schemes.sorted().joined(separator: ", ")
                throw Failure(
                    "The proxy's URL is \(Redaction.default.redact(url: url)). It needs a host and "
                        + "one of the schemes \(known).")
            }
            if let port = url.port, !(1...65535).contains(port) {
                throw Failure("The proxy's port is \(port). Pass a port from 1 to 65535.")
            }
            if scheme == "https", !CurlLibrary.hasHTTPSProxy {
                throw Failure(
                    "\(CurlLibrary.name) is built without HTTPS proxies. Use a proxy with the "
                        + "scheme http, or another libcurl.")
            }
        }
        if case .url = proxy.kind, network.unixSocket != nil {
            throw Failure(
                "A proxy cannot be used together with a Unix domain socket. Set proxy to .none, or "
                    + "network.unixSocket to nil.")
        }
        if let url = network.dnsOverHTTPS { try validateWay(to: url) }
        for override in network.hostOverrides {
            let texts = [override.host] + override.addresses
            let isClean = texts.allSatisfy {
                !$0.isEmpty && !$0.contains(where: " ,\r\n\0".contains)
            }
            guard isClean, !override.addresses.isEmpty, (1...65535).contains(override.port) else {
                throw Failure(
                    "The host override for \(override.host.debugDescription) has the port "
                        + "\(override.port) and the addresses \(override.addresses). It needs a "
                        + "host, a port from 1 to 65535 and at least one address, without spaces "
                        + "and commas.")
            }
        }
    }

    /// Checks that DNS-over-HTTPS lookups take the same route as the requests they are for.
    ///
    /// libcurl sends a lookup as a separate transfer. That transfer uses the environment's proxy,
    /// no other proxy, and no configured interface.
    private func validateWay(to nameServer: URL) throws(Failure) {
        guard nameServer.scheme?.lowercased() == "https", let host = nameServer.host else {
            throw Failure(
                "network.dnsOverHTTPS is \(Redaction.default.redact(url: nameServer)). It needs an "
                    + "https URL with a host.")
        }
        if case .url = proxy.kind {
            throw Failure(
                "DNS over HTTPS would bypass the proxy. Remove network.dnsOverHTTPS. Proxies with "
                    + "the scheme http, https or socks5h resolve names themselves.")
        }
        if proxy.kind == .none, ProxyEnvironment.hasProxy(forSecure: host) {
            throw Failure(
                "libcurl would reach network.dnsOverHTTPS through the environment's proxy. Add "
                    + "\(host) to no_proxy in the environment, or use proxy .environment.")
        }
        if network.interface != nil {
            throw Failure(
                "network.interface does not apply to DNS over HTTPS. Remove network.interface or "
                    + "network.dnsOverHTTPS.")
        }
    }

    private func check(_ file: URL, _ what: String) throws(Failure) {
        guard file.isFileURL, FileManager.default.isReadableFile(atPath: file.path) else {
            throw Failure(
                "\(what) \(file.path) cannot be read. Check the path and the permissions.")
        }
    }

    /// The connection limit: ``maxConnections``, but at most three quarters of the process's
    /// descriptor limit. Requests over the limit wait instead of failing. 0 means no limit.
    var connectionLimit: Int {
        guard let limit = DescriptorTable.processLimit else { return max(0, maxConnections) }
        // A quarter is left to files and to the rest of the process.
        let possible = max(8, limit * 3 / 4)
        return maxConnections > 0 ? min(maxConnections, possible) : possible
    }
}

extension CurlTransport.Configuration.HTTPVersion {
    /// Whether a connection may carry several requests. With HTTP/2 prior knowledge over `http`,
    /// libcurl before 8.0 fails every request after the first on a connection.
    func sharesConnections(isSecure: Bool) -> Bool {
        isSecure || self != .http2PriorKnowledge || CurlLibrary.version >= 0x080000
    }
}

extension Data {
    /// Whether the data contain a PEM block (RFC 7468) whose label ends with `label`, such as `RSA
    /// PRIVATE KEY`.
    fileprivate func holdsPEM(_ label: String) -> Bool {
        range(of: Data("-----BEGIN ".utf8)) != nil && range(of: Data("\(label)-----".utf8)) != nil
    }
}

extension CurlLibrary {
    /// Initializes libcurl, once for the process.
    ///
    /// - Throws: ``CurlTransport/ConfigurationError`` if `curl_global_init` fails.
    static func load() throws(CurlTransport.ConfigurationError) {
        guard initialization == CURLE_OK else {
            throw CurlTransport.ConfigurationError(
                "libcurl cannot be used: \(CurlError(initialization).message).")
        }
    }
}
#endif

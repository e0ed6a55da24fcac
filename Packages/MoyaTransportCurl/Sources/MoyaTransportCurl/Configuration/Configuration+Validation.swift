#if CURL
import CMoyaCurl
import MoyaCore

extension CurlTransport.Configuration {
    typealias Failure = CurlTransport.ConfigurationError

    /// Checks this configuration, also against the features of the installed libcurl.
    ///
    /// - Throws: ``CurlTransport/ConfigurationError`` for the first setting that is invalid or
    ///   unsupported.
    func validate() throws(Failure) {
        let loaded = CurlLibrary.initialization
        try refuse(loaded != CURLE_OK, "libcurl cannot be used: \(CurlError(loaded).message).")
        try validateTimes()
        try validateTexts()
        try validateProtocols()
        try validateTLS()
        try validateNetwork()
        if case .file(let url) = cookies { _ = try CookieFile.lines(of: url) }
    }

    private func refuse(_ isWrong: Bool, _ reason: @autoclosure () -> String) throws(Failure) {
        if isWrong { throw Failure(reason()) }
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
            throw Failure("\(name) contains a control character, such as a line break. Remove it.")
        }
        do {
            try RequestValidation.validate(proxy.fields)
        } catch {
            throw Failure("proxy.fields: \(error.localizedDescription)")
        }
    }

    private func validateProtocols() throws(Failure) {
        let (library, version) = (CurlLibrary.name, CurlLibrary.version)
        try refuse(
            httpVersion == .http2PriorKnowledge && !CurlLibrary.hasHTTP2,
            "\(library) is built without HTTP/2. Use .automatic or .http1.")
        if httpVersion == .http3 || httpVersion == .http3Only {
            try refuse(!CurlLibrary.hasHTTP3, "\(library) is built without HTTP/3. Use .automatic.")
            // libcurl checks public key pins over HTTP/3 since 8.8 with OpenSSL, and since 8.14
            // with wolfSSL.
            let asksForMore =
                !tls.pinnedKeys.isEmpty || tls.requiresStapledStatus
                || tls.serverTrustManager != nil
            try refuse(
                asksForMore && version < 0x080E00,
                "\(library) does not check tls.pinnedKeys, tls.requiresStapledStatus and "
                    + "tls.serverTrustManager over HTTP/3; 8.14 and later do. Use httpVersion "
                    + ".automatic with them.")
        }
        if httpVersion == .http3Only {
            try refuse(
                version < 0x075800,
                "\(library) cannot be limited to HTTP/3; 7.88 and later can. Use .http3.")
            try refuse(proxy.url != nil, "HTTP/3 cannot use a proxy. Use .http3.")
            try refuse(
                network.unixSocket != nil, "HTTP/3 cannot use a Unix domain socket. Use .http3.")
        }
        try refuse(
            authentication.contains(.negotiate) && !CurlLibrary.hasNegotiate,
            "\(library) is built without GSS-API. Leave out .negotiate.")
    }

    private func validateTLS() throws(Failure) {
        switch tls.trust {
        case .system: break
        case .file(let url): try check(url, "tls.trust's certificate file")
        case .data(let data):
            try refuse(
                data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) == nil,
                "tls.trust's data contains no PEM certificate (-----BEGIN CERTIFICATE-----).")
        }
        switch tls.identity?.kind {
        case .pem(let certificate, let key):
            try check(
                certificate, "certificate", "PEM certificate (-----BEGIN CERTIFICATE-----)"
            ) { $0.holdsPEM("CERTIFICATE") }
            try check(key, "key", "PEM key (-----BEGIN PRIVATE KEY-----)") {
                $0.holdsPEM("PRIVATE KEY")
            }
        case .pkcs12(let bundle):
            // PKCS#12 is DER: its first byte is the tag of a SEQUENCE.
            try check(bundle, "PKCS#12", "PKCS#12 archive (the content of a .p12 or .pfx file)") {
                $0.first == 0x30
            }
        case nil: break
        }
        for (host, pins) in tls.pinnedKeys {
            try refuse(
                pins.isEmpty,
                "tls.pinnedKeys for \(host) is empty: every certificate would be refused. "
                    + "Add a pin, or remove the entry.")
            for pin in pins where Data(base64Encoded: pin)?.count != 32 {
                throw Failure(
                    "tls.pinnedKeys for \(host) contains \(pin.debugDescription), which is not a "
                        + "SHA-256 hash in Base64. Pass 44 characters, without \"sha256//\".")
            }
        }
    }

    /// Checks a part of the client identity.
    private func check(
        _ source: TLS.Identity.Source, _ part: String, _ content: String, isIn: (Data) -> Bool
    ) throws(Failure) {
        let part = "tls.identity's \(part)"
        switch source {
        case .file(let file): try check(file, part + " file")
        case .data(let data):
            // libcurl over GnuTLS ignores data without reporting an error.
            try refuse(
                CurlLibrary.tls.hasPrefix("GnuTLS"),
                "\(CurlLibrary.name) with \(CurlLibrary.tls) reads \(part) from files only. "
                    + "Pass a file.")
            try refuse(!isIn(data), "\(part) data contains no \(content).")
        }
    }

    private func check(_ file: URL, _ what: String) throws(Failure) {
        try refuse(
            !file.isFileURL || !FileManager.default.isReadableFile(atPath: file.path),
            "\(what) \(file.path) cannot be read. Check the path and the permissions.")
    }

    private func validateNetwork() throws(Failure) {
        if let url = proxy.url {
            let scheme = url.scheme?.lowercased() ?? ""
            try refuse(
                !Proxy.schemes.contains(scheme) || url.host?.isEmpty != false,
                "The proxy's URL is \(Redaction.default.redact(url: url)). It needs a host and "
                    + "one of the schemes \(Proxy.schemes.joined(separator: ", ")).")
            if let port = url.port, !(1...65535).contains(port) {
                throw Failure("The proxy's port is \(port). Pass a port from 1 to 65535.")
            }
            try refuse(
                scheme == "https" && !CurlLibrary.hasHTTPSProxy,
                "\(CurlLibrary.name) is built without HTTPS proxies. Use a proxy with the "
                    + "scheme http, or another libcurl.")
            try refuse(
                network.unixSocket != nil,
                "A proxy cannot be used together with a Unix domain socket. Set proxy to .none, or "
                    + "network.unixSocket to nil.")
        }
        if let url = network.dnsOverHTTPS { try validateWay(to: url) }
        for override in network.hostOverrides {
            let isClean = ([override.host] + override.addresses).allSatisfy {
                !$0.isEmpty && !$0.contains(where: " ,\r\n\0".contains)
            }
            try refuse(
                !isClean || override.addresses.isEmpty || !(1...65535).contains(override.port),
                "The host override for \(override.host.debugDescription) has the port "
                    + "\(override.port) and the addresses \(override.addresses). It needs a "
                    + "host, a port from 1 to 65535 and at least one address, without spaces "
                    + "and commas.")
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
        try refuse(
            proxy.url != nil,
            "DNS over HTTPS would bypass the proxy. Remove network.dnsOverHTTPS. Proxies with "
                + "the scheme http, https or socks5h resolve names themselves.")
        try refuse(
            proxy.kind == .none && ProxyEnvironment.hasProxy(forSecure: host),
            "libcurl would reach network.dnsOverHTTPS through the environment's proxy. Add "
                + "\(host) to no_proxy in the environment, or use proxy .environment.")
        try refuse(
            network.interface != nil,
            "network.interface does not apply to DNS over HTTPS. Remove network.interface or "
                + "network.dnsOverHTTPS.")
    }

    /// The connection limit: ``maxConnections``, but at most three quarters of the process's
    /// descriptor limit. Requests over the limit wait instead of failing. 0 means no limit.
    var connectionLimit: Int {
        guard let limit = DescriptorTable.processLimit else { return max(0, maxConnections) }
        // A quarter is left to files and to the rest of the process.
        let possible = max(8, limit * 3 / 4)
        return maxConnections > 0 ? min(maxConnections, possible) : possible
    }

    /// The number of loops. Connection limits and cookies are kept by one loop, so with either
    /// there is only one.
    var loopCount: Int {
        let isShared = maxConnections > 0 || (ownMaxConnectionsPerHost ?? 0) > 0 || cookies != .none
        return isShared ? 1 : min(max(1, threads), 64)
    }
}

extension Data {
    /// Whether the data contain a PEM block (RFC 7468) whose label ends with `label`, such as `RSA
    /// PRIVATE KEY`.
    fileprivate func holdsPEM(_ label: String) -> Bool {
        range(of: Data("-----BEGIN ".utf8)) != nil && range(of: Data("\(label)-----".utf8)) != nil
    }
}
#endif

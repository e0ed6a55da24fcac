#if os(Linux)
    import Foundation
    import MoyaKit

    private let proxyURL = URL(string: "http://proxy.example.com:3128") ?? URL(fileURLWithPath: "/")
    private let nameServer =
        URL(string: "https://dns.example.com/query") ?? URL(fileURLWithPath: "/")

    extension MessageList {
        func addCurlErrors() async throws {
            section("CurlTransport.ConfigurationError")
            await addCurl("connectTimeout") { $0.connectTimeout = -1 }
            await addCurl("userAgent") { $0.userAgent = "shop\r\n" }
            await addCurl("proxy: fields") {
                $0.proxy = .url(proxyURL)
                $0.proxy.fields = [HeaderField(name: "X Shop", value: "1")]
            }
            await addCurl("proxy: scheme") {
                $0.proxy = .url(URL(string: "ftp://proxy.example.com") ?? proxyURL)
            }
            await addCurl("proxy: port") {
                $0.proxy = .url(URL(string: "http://proxy.example.com:70000") ?? proxyURL)
            }
            await addCurl("proxy and unixSocket") {
                $0.proxy = .url(proxyURL)
                $0.network.unixSocket = URL(fileURLWithPath: "/run/shop.sock")
            }
            await addCurl("hostOverrides") {
                $0.network.hostOverrides = [
                    .init(host: "api.example.com", port: 443, addresses: [])
                ]
            }
            await addCurl("dnsOverHTTPS: no https URL") { $0.network.dnsOverHTTPS = proxyURL }
            await addCurl("dnsOverHTTPS and a proxy") {
                $0.network.dnsOverHTTPS = nameServer
                $0.proxy = .url(proxyURL)
            }
            await addCurl("dnsOverHTTPS and an interface") {
                $0.network.dnsOverHTTPS = nameServer
                $0.network.interface = "eth0"
            }
            await addCurlTLSErrors()
            try await addCookieErrors()
        }

        private func addCurlTLSErrors() async {
            let missing = folder.appendingPathComponent("missing.pem")
            await addCurl("tls.trust: no file") { $0.tls.trust = .file(missing) }
            await addCurl("tls.trust: no certificate") { $0.tls.trust = .data(Data("key".utf8)) }
            await addCurl("tls.identity: no file") {
                $0.tls.identity = .pem(certificate: missing, key: missing)
            }
            await addCurl("tls.identity: no certificate") {
                $0.tls.identity = .pem(certificate: Data(), key: Data())
            }
            await addCurl("tls.identity: no PKCS#12") { $0.tls.identity = .pkcs12(Data()) }
            await addCurl("tls.identity: password") {
                $0.tls.identity = .pkcs12(Data([0x30]), password: "a\nb")
            }
            await addCurl("tls.pinnedKeys: none") { $0.tls.pinnedKeys = ["api.example.com": []] }
            await addCurl("tls.pinnedKeys: no hash") {
                $0.tls.pinnedKeys = ["api.example.com": ["key"]]
            }
        }

        private func addCookieErrors() async throws {
            let jar = folder.appendingPathComponent("cookies.txt")
            try Data("# Netscape HTTP Cookie File\nname=value\n".utf8).write(to: jar)
            let folder = folder
            await addCurl("cookies: a remote URL") { $0.cookies = .file(proxyURL) }
            await addCurl("cookies: a folder") { $0.cookies = .file(folder) }
            await addCurl("cookies: another format") { $0.cookies = .file(jar) }
        }

        private func addCurl(
            _ name: String, _ change: (inout CurlTransport.Configuration) -> Void
        ) async {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            await add(name) { _ = try CurlTransport(configuration: configuration) }
        }

        func addFoundationErrors() async {
            section("FoundationTransport.ConfigurationError")
            await addFoundation("trust") { $0.trust = .data(Data()) }
            await addFoundation("minimumTLSVersion") { $0.minimumTLSVersion = .tls13 }
            await addFoundation("clientCertificate") {
                $0.clientCertificate = URLCredential(user: "", password: "", persistence: .none)
            }
            await addFoundation("assumesHTTP3") { $0.assumesHTTP3 = true }
            await addFoundation("backgroundIdentifier") { $0.backgroundIdentifier = "shop" }
            await addFoundation("proxy") { $0.proxy = .http(host: "proxy.example.com", port: 3128) }
            await addFoundation("proxy: port") {
                $0.proxy = .http(host: "proxy.example.com", port: 0)
            }
            await addFoundation("cache") { $0.cache = .shared }
            await addFoundation("waitsForConnectivity") { $0.waitsForConnectivity = true }
            await addFoundation("additionalHeaders") { $0.additionalHeaders = ["X Shop": "1"] }
            await add("Session: serverTrustManager") {
                let session = Session(serverTrustManager: ServerTrustManager(evaluators: [:]))
                try await send(ExampleTarget(), over: session)
            }
        }

        private func addFoundation(
            _ name: String, _ change: (inout FoundationTransport.Configuration) -> Void
        ) async {
            var configuration = FoundationTransport.Configuration()
            change(&configuration)
            await add(name) { _ = try FoundationTransport(configuration: configuration) }
        }
    }
#endif

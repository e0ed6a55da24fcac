import Foundation
import MoyaCore
import MoyaTransportCurl
import Testing

/// Descriptions of configurations, as in logs.
@Suite struct DescriptionTests {
    typealias TLS = CurlTransport.Configuration.TLS

    private func configuration() throws -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        let proxy = try #require(URL(string: "http://gate:first-secret@127.0.0.1:3128"))
        configuration.proxy = .url(
            proxy, user: "alice", password: "second-secret", excluding: ["example.test"])
        configuration.proxy.fields = [HeaderField(name: "X-Gate", value: "fifth-secret")]
        configuration.tls.identity = .pkcs12(
            URL(fileURLWithPath: "/client.p12"), password: "third-secret")
        configuration.network.dnsOverHTTPS = URL(
            string: "https://gate:fourth-secret@names.test/dns-query")
        configuration.network.interface = "eth7"
        return configuration
    }

    @Test func `descriptions of a configuration hide passwords and show other settings`() throws {
        let configuration = try configuration()
        var dumped = ""
        dump(configuration, to: &dumped)
        let transport = try? CurlTransport(configuration: configuration)
        var transportDumped = ""
        dump(transport, to: &transportDumped)
        let texts = [
            "\(configuration)", String(reflecting: configuration), dumped, transportDumped,
            "\(configuration.proxy)", String(reflecting: configuration.proxy),
            "\(configuration.tls)", "\(configuration.network)",
            String(reflecting: configuration.network),
            configuration.tls.identity.map { "\($0)" + String(reflecting: $0) } ?? "",
        ]
        for text in texts { #expect(!text.contains("secret")) }
        for text in [texts[0], texts[2]] {
            for part in [
                "alice", "127.0.0.1:3128", "example.test", "client.p12", "names.test", "eth7",
                "X-Gate",
            ] {
                #expect(text.contains(part), "\(part)")
            }
        }
    }

    @Test(arguments: [
        TLS.Identity.pem(
            certificate: Data("shown certificate".utf8), key: Data("hidden key".utf8),
            password: "hidden password"),
        .pkcs12(Data("hidden key".utf8), password: "hidden password"),
    ])
    func `descriptions of an in-memory client identity hide its key and password`(
        identity: TLS.Identity
    ) {
        var tls = TLS()
        tls.identity = identity
        var dumped = ""
        dump(tls, to: &dumped)
        let byte = "\(UInt8(ascii: "h"))"
        for text in ["\(tls)", String(reflecting: tls), "\(identity)", dumped] {
            #expect(text.contains("***"))
            for part in ["hidden", byte, "bytes"] { #expect(!text.contains(part), "\(text)") }
        }
    }

    @Test func `the none and environment proxies are described by their kind only`() {
        #expect("\(CurlTransport.Configuration.Proxy.none)" == "Proxy(none)")
        #expect("\(CurlTransport.Configuration.Proxy.environment)" == "Proxy(environment)")
    }
}

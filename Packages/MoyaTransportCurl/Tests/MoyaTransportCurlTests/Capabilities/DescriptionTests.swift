import Foundation
import MoyaTransportCurl
import Testing

/// What a configuration says about itself, in logs for example.
@Suite struct DescriptionTests {
    private func configuration() throws -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        let proxy = try #require(URL(string: "http://gate:first-secret@127.0.0.1:3128"))
        configuration.proxy = .url(
            proxy, user: "alice", password: "second-secret", excluding: ["example.test"])
        configuration.tls.identity = .pkcs12(
            URL(fileURLWithPath: "/client.p12"), password: "third-secret")
        return configuration
    }

    @Test func `passwords are not printed, and the rest is`() throws {
        let configuration = try configuration()
        var dumped = ""
        dump(configuration, to: &dumped)
        let transport = try? CurlTransport(configuration: configuration)
        var transportDumped = ""
        dump(transport, to: &transportDumped)
        let texts = [
            "\(configuration)", String(reflecting: configuration), dumped, transportDumped,
            "\(configuration.proxy)", String(reflecting: configuration.proxy),
            "\(configuration.tls)",
            configuration.tls.identity.map { "\($0)" + String(reflecting: $0) } ?? "",
        ]
        for text in texts { #expect(!text.contains("secret")) }
        for text in [texts[0], texts[2]] {
            for part in ["alice", "127.0.0.1:3128", "example.test", "client.p12"] {
                #expect(text.contains(part), "\(part)")
            }
        }
    }

    @Test func `a proxy without a password shows none`() {
        #expect("\(CurlTransport.Configuration.Proxy.none)" == "Proxy(none)")
        #expect("\(CurlTransport.Configuration.Proxy.environment)" == "Proxy(environment)")
    }
}

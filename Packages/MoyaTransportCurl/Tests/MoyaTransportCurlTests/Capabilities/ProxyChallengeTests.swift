import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Proxies that reject every credential.
@Suite(.timeLimit(.minutes(3))) struct ProxyChallengeTests {
    /// libcurl does not show responses to CONNECT, and fails after 300 KiB of their header fields.
    @Test(arguments: [("http", 11), ("https", 3000)])
    func `A proxy that reports every nonce as stale fails the request`(
        scheme: String, limit: Int
    ) async throws {
        let count = Counter()
        let proxy = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write(
                    """
                    HTTP/1.1 407 Who\r
                    Proxy-Authenticate: Digest realm="r", nonce="n\(count.next())", qop="auth", stale=true\r
                    Content-Length: 0\r
                    \r

                    """)
            }
        }
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(proxy.url)
        configuration.proxy.user = "ash"
        configuration.proxy.password = "secret"
        configuration.exchangeTimeout = 10
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "\(scheme)://moya.test/"))
        await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(count.count <= limit)
    }
}

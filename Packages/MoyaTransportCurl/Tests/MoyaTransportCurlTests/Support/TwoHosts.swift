import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An nginx with two names, so that requests to one host wait for connections to the other. It
/// forwards `/behind` to another server.
struct TwoHosts {
    let nginx: Nginx
    /// The server's URL by its address.
    let own: URL
    /// The server's URL by a name, `https://moya.test:port/`.
    let other: URL

    /// - Parameters:
    ///   - port: The port of the server behind nginx.
    ///   - concurrentStreams: The number of requests that an HTTP/2 connection may have at a time.
    init(before port: Int, concurrentStreams: Int = 128) async throws {
        var site = Nginx.Site()
        site.portBehind = port
        site.concurrentStreams = concurrentStreams
        nginx = try await Nginx(site)
        own = nginx.url
        let front = try #require(own.port)
        other = try #require(URL(string: "https://moya.test:\(front)/"))
    }

    /// A configuration that trusts both hosts and knows the address of the other one.
    var configuration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.network.hostOverrides = [
            .init(host: "moya.test", port: other.port ?? 0, addresses: ["127.0.0.1"])
        ]
        return configuration
    }

    /// Sends a request to each host. From then on both are known to multiplex, so that libcurl gets
    /// their requests at once.
    func greet(over transport: CurlTransport) async throws {
        for url in [own, other] {
            _ = try await transport.send(TransportRequest(.patient(url)))
        }
    }
}

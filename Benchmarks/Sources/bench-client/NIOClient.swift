import AsyncHTTPClient
import NIOSSL
import Foundation

/// async-http-client without this package.
struct NIOClient: Client {
    private let client: HTTPClient
    private let request: HTTPClientRequest

    init(_ options: Options) throws {
        var configuration = HTTPClient.Configuration()
        if !options.defaults {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
                options.connections ?? max(1, options.inFlight)
        }
        if let ca = options.ca {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(ca)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var request = HTTPClientRequest(url: options.url)
        request.headers.add(name: "User-Agent", value: "bench")
        self.request = request
    }

    func exchange() async throws {
        let response = try await client.execute(request, timeout: .seconds(600))
        guard response.status == .ok else { throw HTTPClientError.cancelled }
        _ = try await response.body.collect(upTo: 1 << 20)
    }

    func close() async throws { try await client.shutdown() }
}

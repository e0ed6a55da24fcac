import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One evaluation of the certificates for each connection, with nginx.
@Suite(.requires(.nginx, .openssl)) struct EvaluatedConnectionsTests {
    /// The tunnel is reset after it has carried one request and a part of the next.
    @Test(arguments: [false, true], [RequestBody.data(Data(repeating: 1, count: 12_000))])
    func `When a reused connection dies, a PUT is sent again and a POST fails`(
        speaksHTTP2: Bool, body: RequestBody
    ) async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        var site = Nginx.Site()
        (site.speaksHTTP2, site.portBehind) = (speaksHTTP2, server.port)
        let nginx = try await Nginx(site)
        let own = try nginx.certificates()
        for method in ["PUT", "POST"] {
            let tunnel = try Tunnel(.connect(), limit: 14_000)
            defer { tunnel.stop() }
            var configuration = CurlTransport.Configuration()
            configuration.threads = 1
            configuration.tls.trust = .file(nginx.authority)
            configuration.proxy = .url(tunnel.url)
            configuration.tls.serverTrustManager = ServerTrustManager(evaluators: [
                "127.0.0.1": PinnedCertificatesTrustEvaluator(certificates: own)
            ])
            let transport = try CurlTransport(configuration: configuration)
            var request = URLRequest(url: nginx.url.appendingPathComponent("behind"))
            let fill = String(repeating: "x", count: 3000)
            request.setValue(fill, forHTTPHeaderField: "X-Fill")
            _ = try await transport.send(TransportRequest(request))
            request.setValue(nil, forHTTPHeaderField: "X-Fill")
            request.httpMethod = method
            let result = await Result.catching {
                try await transport.send(TransportRequest(request, body: body))
            }
            if method == "PUT" {
                #expect(try result.get().head.statusCode == 200)
                #expect(tunnel.heads.count == 2)
            } else {
                let error = #expect(throws: URLError.self) { try result.get() }
                #expect(error?.code == .networkConnectionLost)
                #expect(!server.requests.contains { $0.method == "POST" })
            }
        }
    }

    @Test(arguments: [false, true])
    func `100 concurrent POST requests each arrive exactly once`(speaksHTTP2: Bool)
        async throws
    {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        var site = Nginx.Site()
        (site.speaksHTTP2, site.portBehind) = (speaksHTTP2, server.port)
        let nginx = try await Nginx(site)
        let transport = try nginx.evaluatingTransport(["127.0.0.1": CountingEvaluator()])
        var request = URLRequest(url: nginx.url.appendingPathComponent("behind"))
        request.httpMethod = "POST"
        let message = TransportRequest(request, body: .data(Data("pay".utf8)))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { try await transport.send(message).head.statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests.count == 100)
    }

    @Test
    func `Concurrent requests wait for one trust evaluation per connection`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let evaluator = CountingEvaluator()
        let transport = try nginx.evaluatingTransport(["127.0.0.1": evaluator])
        let request = TransportRequest(URLRequest(url: nginx.url))
        let metrics = try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.send(request).metrics } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(metrics.count == 100)
        #expect(evaluator.count == metrics.filter { $0.isReusedConnection == false }.count)
        #expect(evaluator.count <= 4)
    }
}

private final class CountingEvaluator: ServerTrustEvaluating {
    let validation = TrustValidation()
    private let calls = Locked(0)
    var count: Int { calls.withLock { $0 } }

    func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        guard !certificates.isEmpty, host == "127.0.0.1" else {
            throw ServerTrustError("Nothing to see.")
        }
        calls.withLock { $0 += 1 }
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaLayers

/// Servers that send random bytes in the fields and tokens from which clients build later requests.
@Suite(.seeded) struct OddServerTests {
    private func expectValid(_ server: MockServer, _ seed: Int) {
        for fault in server.requests.compactMap(\.fault) { Issue.record("case \(seed): \(fault)") }
    }

    @Test(arguments: 0..<50)
    func `a stale response with random validators is requested again without a fault`(
        seed: Int
    ) async throws {
        let folder = try TemporaryFolder()
        var values = OddFieldValues(case: seed)
        let head =
            Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nCache-Control: max-age=0\r\n".utf8)
            + Data("ETag: ".utf8) + values.value() + Data("\r\nLast-Modified: ".utf8)
            + values.value() + Data("\r\n\r\n".utf8)
        let server = try MockServer { _ in .raw(head + Data("1".utf8)) }
        defer { server.stop() }
        for number in 1...3 {
            // A new store for each request, like that of another process.
            let cache = CurlTransport().caching(in: DiskCacheStore(folder: folder.url))
            let response = try await cache.send(.test("GET", server.url.absoluteString))
            #expect(response.text == "1")
            #expect(server.requests.count == number)
        }
        expectValid(server, seed)
    }

    @Test(arguments: 0..<50)
    func `random token responses do not prevent a later valid token from being used`(
        seed: Int
    ) async throws {
        let values = Locked(OddFieldValues(case: seed))
        let isOdd = Locked(true)
        let server = try MockServer { request in
            guard request.path == "/token" else { return .text("welcome") }
            func text() -> String {
                String(decoding: values.withLock { $0.value() }, as: UTF8.self)
            }
            guard isOdd.withLock({ $0 }) else { return .json(["access_token": "good"]) }
            return .json([
                "access_token": text(), "token_type": text(), "refresh_token": text(),
                "expires_in": text(),
            ])
        }
        defer { server.stop() }
        let oauth = OAuth2Client(
            tokenEndpoint: server.url.appendingPathComponent("token"), clientID: "app",
            transport: CurlTransport())
        let tokens = TokenRefresher { last in
            guard last?.refreshToken != nil else { return try await oauth.clientCredentials() }
            return try await oauth.refresh(last)
        }
        let transport = CurlTransport().authorizing(with: tokens)
        let request = TransportRequest.test(
            "GET", server.url.absoluteString, target: Thing(authorizationType: .bearer))
        for _ in 0..<3 { _ = try? await transport.send(request) }
        isOdd.withLock { $0 = false }
        #expect(try await transport.send(request).text == "welcome")
        expectValid(server, seed)
    }
}

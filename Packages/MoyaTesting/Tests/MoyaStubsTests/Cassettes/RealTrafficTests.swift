import Foundation
import MoyaCore
import MoyaMockServer
import MoyaStubs
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RealTrafficTests {
    @Test func `a server's recorded responses are played after the server has stopped`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("server.har")
        let address: String
        let recorded: [TransportResponse]
        do {
            let server = try MockServer { request in
                switch request.target {
                case "/old": .redirect(to: "/new")
                case "/new": .text("moved")
                default: MockResponse(status: 404, body: .data(Data([0xFF, 0x00])))
                }
            }
            address = "\(server.url)/"
            recorded = try await exchanges(
                with: CurlTransport().cassette(at: file), at: address)
        }
        let cassette = try CassetteTransport(at: file, mode: .none)
        let played = try await exchanges(with: cassette, at: address)
        #expect(played.count == 2)
        for (old, new) in zip(recorded, played) {
            #expect(new.head.statusCode == old.head.statusCode)
            #expect(new.head.url == old.head.url)
            #expect(new.head.fields == old.head.fields)
            guard case .data(let oldBody) = old.body, case .data(oldBody) = new.body else {
                Issue.record("The bodies are different.")
                continue
            }
        }
        #expect(played.map(\.head.url.path) == ["/new", "/none"])
        #expect(cassette.allPlayed)
    }

    private func exchanges(
        with transport: any Transport, at address: String
    ) async throws -> [TransportResponse] {
        [
            try await transport.send(.test("GET", "\(address)old")),
            try await transport.send(.test("GET", "\(address)none")),
        ]
    }
}

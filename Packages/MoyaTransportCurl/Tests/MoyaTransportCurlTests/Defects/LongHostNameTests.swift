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

@Suite(.timeLimit(.minutes(3))) struct LongHostNameTests {
    private static let tooLong = String(repeating: "a.", count: 127) + "aa"

    @Test func `a redirect to a host with a name of 256 bytes is an error that says so`()
        async throws
    {
        let server = try MockServer { _ in .redirect(to: "http://\(Self.tooLong)/") }
        defer { server.stop() }
        let request = TransportRequest(.patient(server.url))
        let error = await #expect(throws: URLError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .cannotFindHost)
        #expect(error?.localizedDescription == "The host's name is longer than 255 bytes.")
    }

    @Test func `a SOCKS5 proxy gets a host's name of 255 bytes, and none of 256`() async throws {
        let lengths = Locked<[UInt8]>([])
        let proxy = try RawServer { client in
            // Methods, the choice of none, and a request whose host is unreachable (RFC 1928,
            // sections 3, 4 and 6).
            _ = client.read()
            client.write(Data([5, 0]))
            let request = client.read()
            guard request.count > 4 else { return }
            lengths.withLock { $0.append(request[4]) }
            client.write(Data([5, 4, 0, 1, 0, 0, 0, 0, 0, 0]))
            client.waitForClient()
        }
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(try #require(URL(string: "socks5h://127.0.0.1:\(proxy.port)")))
        let transport = try CurlTransport(configuration: configuration)
        for name in [String(Self.tooLong.dropLast()), Self.tooLong] {
            let url = try #require(URL(string: "http://\(name)/"))
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(.patient(url)))
            }
            let isRefused = error?.localizedDescription.contains("longer than 255 bytes") == true
            #expect(isRefused == (name.utf8.count == 256))
        }
        #expect(lengths.withLock { $0 } == [255])
    }
}

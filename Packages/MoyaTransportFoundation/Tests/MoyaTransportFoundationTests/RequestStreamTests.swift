import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RequestStreamTests {
    private struct Broken: Error {}

    private func put(_ body: RequestBodyStream, to server: MockServer) -> TransportRequest {
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        return TransportRequest(request, body: .stream(body))
    }

    @Test func `a body that fails is not sent, not even in part`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let body = RequestBodyStream {
            AsyncThrowingStream<Data, any Error> { continuation in
                for _ in 0..<100 { continuation.yield(Data(count: 100_000)) }
                continuation.finish(throwing: Broken())
            }
        }
        let request = put(body, to: server)
        await #expect(throws: Broken.self) { try await FoundationTransport().send(request) }
        #expect(server.connectionCount == 0)
    }

    @Test func `the file goes with whoever sends it`() async throws {
        let pieces = RequestBodyStream {
            AsyncStream<Data> { continuation in
                for _ in 0..<10 { continuation.yield(Data("abc".utf8)) }
                continuation.finish()
            }
        }
        let file = try await SpoolFile.make(pieces, by: nil)
        #expect(try Data(contentsOf: file.url) == Data(String(repeating: "abc", count: 10).utf8))
        let path = file.url.path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        file.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a body that does not come ends with the exchange's deadline`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = 0.2
        let transport = try FoundationTransport(configuration: configuration)
        let request = put(RequestBodyStream { AsyncStream<Data> { _ in } }, to: server)
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.code == .timedOut)
    }

    @Test func `cancelling ends the wait for a body`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let (began, start) = AsyncStream<Void>.makeStream()
        let body = RequestBodyStream {
            start.finish()
            return AsyncStream<Data> { _ in }
        }
        let request = put(body, to: server)
        let task = Task { try await FoundationTransport().send(request) }
        for await _ in began {}
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test func `a body that comes once is there for the answer to a challenge`() async throws {
        let server = try MockServer { request in
            request.value(for: "Authorization") == nil
                ? .text("Who?", status: 401).adding("WWW-Authenticate", "Basic realm=\"r\"")
                : .text(String(decoding: request.body, as: UTF8.self))
        }
        defer { server.stop() }
        let once = AsyncStream<Data> { continuation in
            continuation.yield(Data("once".utf8))
            continuation.finish()
        }
        var request = put(RequestBodyStream(once: once), to: server)
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        request.destination = .stream
        let response = try await FoundationTransport().send(request)
        #expect(response.head.statusCode == 200)
        guard case .stream(let stream) = response.body else { throw URLError(.unknown) }
        #expect(try await stream.collect(upTo: 100) == Data("once".utf8))
    }
}

import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct RequestStreamTests {
    private struct Broken: Error {}

    private func put(_ body: RequestBodyStream, to server: MockServer) -> TransportRequest {
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        return TransportRequest(request, body: .stream(body))
    }

    @Test func `a request body that fails is not sent, not even partially`() async throws {
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

    @Test func `a spool file holds the body, is readable by its owner only and can be removed`()
        async throws
    {
        let pieces = RequestBodyStream {
            AsyncStream<Data> { continuation in
                for _ in 0..<10 { continuation.yield(Data("abc".utf8)) }
                continuation.finish()
            }
        }
        let transport = FoundationTransport()
        let context = SendContext(deadline: nil, round: 0)
        let file = try await SpoolFile.make(pieces, context, for: transport.delegate)
        #expect(try Data(contentsOf: file.url) == Data(String(repeating: "abc", count: 10).utf8))
        let path = file.url.path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        file.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a stalled body stream times out at the exchange's deadline`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = 0.2
        let transport = try FoundationTransport(configuration: configuration)
        let request = put(RequestBodyStream { AsyncStream<Data> { _ in } }, to: server)
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.code == .timedOut)
    }

    @Test func `cancelling ends the wait for a body stream`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let (began, start) = AsyncStream<Void>.makeStream()
        let body = RequestBodyStream {
            start.finish()
            return AsyncStream<Data> { _ in }
        }
        let request = put(body, to: server)
        let task = Task { try await FoundationTransport().send(request) }
        try await waitForEvent(in: began)
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [true, false])
    func `an exchange ends without waiting for a body stream that ignores cancellation`(
        isCancelled: Bool
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = isCancelled ? nil : 0.05
        let transport = try FoundationTransport(configuration: configuration)
        let speaker = DeafBody.Speaker()
        let request = put(RequestBodyStream { DeafBody(speaker) }, to: server)
        let task = Task { try await transport.send(request) }
        try await speaker.waitUntilAsked()
        if isCancelled { task.cancel() }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == (isCancelled ? .cancelled : .timedOut))
        speaker.speak()
    }

    @Test(arguments: [true, false])
    func `an unfinished spool file is removed at once although its body stream continues`(
        isCancelled: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let writer = SpoolWriter(try NewFile(file))
        let speaker = DeafBody.Speaker()
        let task = Task {
            let body = RequestBodyStream { DeafBody(speaker) }
            try await writer.run(body, by: isCancelled ? nil : Deadline(0.05))
        }
        try await speaker.waitUntilAsked()
        if isCancelled { task.cancel() }
        _ = await task.result
        #expect(!FileManager.default.fileExists(atPath: file.path))
        // Without removal, the stream would continue forever.
        speaker.speak()
        try await speaker.waitUntilLeft()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `shutdown ends the wait for a body stream and reads no new one`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = FoundationTransport()
        let (began, start) = AsyncStream<Void>.makeStream()
        let request = put(
            RequestBodyStream {
                start.yield()
                return AsyncStream<Data> { _ in }
            }, to: server)
        let task = Task { try await transport.send(request) }
        try await waitForEvent(in: began)
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let late = put(
            RequestBodyStream {
                Issue.record("The body is read.")
                return AsyncStream<Data> { _ in }
            }, to: server)
        let later = await #expect(throws: URLError.self) { try await transport.send(late) }
        #expect(later?.code == .cancelled)
    }

    @Test(arguments: [nil, 600] as [TimeInterval?])
    func `a cancelled request fails as cancelled although its body stream throws another error`(
        exchangeTimeout: TimeInterval?
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = exchangeTimeout
        let transport = try FoundationTransport(configuration: configuration)
        let (began, start) = AsyncStream<Void>.makeStream()
        let body = RequestBodyStream {
            AsyncThrowingStream<Data, any Error> {
                start.finish()
                try await Task.sleep(nanoseconds: 60_000_000_000)
                return nil
            }
        }
        let request = put(body, to: server)
        let task = Task { try await transport.send(request) }
        try await waitForEvent(in: began)
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a body stream that can be read once is sent again after a challenge`() async throws
    {
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

/// Body that waits for ``Speaker/speak()`` regardless of cancellation, and then continues forever.
private struct DeafBody: AsyncSequence, AsyncIteratorProtocol {
    /// Controls the body, and observes its reader.
    final class Speaker: Sendable {
        private let asked = AsyncStream<Void>.makeStream()
        private let left = AsyncStream<Void>.makeStream()
        private let said = AsyncStream<Void>.makeStream()

        func waitUntilAsked() async throws { try await waitForEvent(in: asked.stream) }
        func waitUntilLeft() async throws { try await waitForEvent(in: left.stream) }
        func speak() { said.continuation.finish() }

        fileprivate func ask() async {
            asked.continuation.finish()
            // An unstructured task, which the caller's cancellation does not reach.
            await Task { for await _ in said.stream {} }.value
        }

        fileprivate func leave() { left.continuation.finish() }
    }

    private final class Reader: Sendable {
        let speaker: Speaker
        init(_ speaker: Speaker) { self.speaker = speaker }
        deinit { speaker.leave() }
    }

    private let reader: Reader

    init(_ speaker: Speaker) {
        reader = Reader(speaker)
    }

    func makeAsyncIterator() -> DeafBody { self }

    func next() async -> Data? {
        await reader.speaker.ask()
        return Data("more".utf8)
    }
}

import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Blocks the reader of a stream until `end()` is called.
private final class Stall: Sendable {
    /// Finishes when a reader is blocked.
    let reading: AsyncStream<Void>
    private let isRead: AsyncStream<Void>.Continuation
    private let lock = DispatchSemaphore(value: 0)

    init() { (reading, isRead) = AsyncStream.makeStream() }

    func wait() {
        isRead.finish()
        lock.wait()
    }

    func end() { lock.signal() }
}

/// Stream that blocks its reader until the stall ends, and then ends.
private final class StalledStream: InputStream {
    private let stall: Stall

    init(_ stall: Stall) {
        self.stall = stall
        super.init(data: Data())
    }

    override func read(_: UnsafeMutablePointer<UInt8>, maxLength _: Int) -> Int {
        stall.wait()
        return 0
    }
}

/// Parts whose stream never delivers another byte. The blocked thread cannot be interrupted, but
/// the waiting task can be cancelled.
@Suite(.timeLimit(.minutes(3))) struct StalledStreamTests {
    private let stall = Stall()

    private var form: MultipartFormData {
        [
            text("first", name: "a"),
            MultipartFormBodyPart(provider: .stream(StalledStream(stall), 5), name: "b"),
        ]
    }

    private func target(_ url: URL) -> Transfer {
        Transfer(
            baseURL: url, path: "/", method: .post,
            task: .uploadMultipartFormData(form))
    }

    @Test func `cancelling the task ends reading a form with a stalled part`() async throws {
        defer { stall.end() }
        let body = try MultipartPlan(form).body
        let task = Task { for try await _ in body {} }
        try await waitForEvent(in: stall.reading)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a task cancelled beforehand does not wait for a stalled part`() async throws {
        defer { stall.end() }
        let source = try InputStreamSource(
            SharedStream(stream: StalledStream(stall)), name: "b")
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let task = Task {
            // Cancellation ends the loop as well.
            for await _ in ready {}
            return try await source.read()
        }
        task.cancel()
        isReady.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: Carrier.allCases)
    func `cancelling the task ends a request with a stalled form`(carrier: Carrier) async throws {
        defer { stall.end() }
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let target = target(server.url)
        let task = Task {
            try await MoyaProvider<Transfer>(transport: carrier.transport).request(target)
        }
        try await waitForEvent(in: stall.reading)
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test func `the exchange timeout ends a request with a stalled form`() async throws {
        defer { stall.end() }
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = 0.5
        let provider = MoyaProvider<Transfer>(
            transport: try FoundationTransport(configuration: configuration))
        let target = target(server.url)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    }
}

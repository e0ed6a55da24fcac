import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A thousand cancels: some at each stage of an exchange, most at random times.
@Suite(.seeded, .timeLimit(.minutes(3))) struct RandomCancelTests {
    /// The stage of an exchange when it is cancelled.
    private enum Stage: CaseIterable {
        case begun, sending, waiting, receiving, over
    }

    /// Observes an exchange by its progress. Cancels it at a given stage.
    private final class Witness: Sendable {
        private struct State {
            var progress = TransferProgress()
            var isOver = false
            /// The stage at which it was first cancelled.
            var end: Stage?
        }

        private let state = Locked(State())
        private let task = Locked<Task<Int, any Error>?>(nil)
        private let wanted: Stage?

        init(cancellingAt wanted: Stage? = nil) { self.wanted = wanted }

        /// Whether the next piece of the body may be sent: only after the previous one was sent,
        /// because several pieces at once would skip stages, and not beyond the stage to cancel at.
        func isReady(for piece: Int) -> Bool {
            stage != wanted && state.withLock(\.progress.bytesSent) >= piece
        }

        /// The stage at which it was first cancelled.
        var end: Stage? { state.withLock(\.end) }

        /// Starts the exchange. The lock makes the task visible to the exchange's first progress
        /// report.
        func begin(
            _ exchange: @escaping @Sendable () async throws -> Int
        ) -> Task<Int, any Error> {
            task.withLock { task in
                let begun = Task {
                    let status = try await exchange()
                    state.withLock { $0.isOver = true }
                    return status
                }
                task = begun
                return begun
            }
        }

        /// Called on the transport's thread, so that the exchange stays at its stage.
        func note(_ progress: TransferProgress) {
            state.withLock { $0.progress = progress }
            if let wanted, stage == wanted { cancel() }
        }

        func cancel() {
            let stage = stage
            state.withLock { $0.end = $0.end ?? stage }
            task.withLock { $0 }?.cancel()
        }

        private var stage: Stage {
            let state = state.withLock { $0 }
            if state.isOver { return .over }
            if state.progress.bytesReceived > 0 { return .receiving }
            if state.progress.bytesSent == RandomCancelTests.pieces { return .waiting }
            return state.progress.bytesSent > 0 ? .sending : .begun
        }
    }

    private static let pieces = 4

    /// A request whose body takes some time to send.
    private func request(_ server: MockServer, _ witness: Witness) -> TransportRequest {
        var urlRequest = URLRequest.patient(server.url)
        urlRequest.httpMethod = "POST"
        let body = RequestBodyStream(length: Int64(Self.pieces)) {
            let (pieces, next) = AsyncThrowingStream<Data, any Error>.makeStream()
            let sender = Task {
                for number in 0..<Self.pieces {
                    try await Task.sleep(nanoseconds: 4_000_000)
                    try await until { witness.isReady(for: number) }
                    next.yield(Data("x".utf8))
                }
                next.finish()
            }
            next.onTermination = { _ in sender.cancel() }
            return pieces
        }
        var request = TransportRequest(urlRequest, body: .stream(body))
        request.progress = { witness.note($0) }
        return request
    }

    @Test func `requests cancelled at random times leave no transfer in the transport`()
        async throws
    {
        let server = try MockServer { _ in
            let pieces = Array(repeating: Data("x".utf8), count: Self.pieces)
            return MockResponse(body: .chunked(pieces, interval: 0.005)).delayed(by: 0.01)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        // Ends exchanges that are held at their stage, in case a cancel has no effect.
        configuration.exchangeTimeout = 120
        let transport = try CurlTransport(configuration: configuration)
        let length = try await length(server, transport)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<20 {
                group.addTask {
                    var random = SeededGenerator(case: worker)
                    for stage in Stage.allCases { await cancel(server, transport, at: stage) }
                    for _ in Stage.allCases.count..<50 {
                        let delay = length * Double.random(in: 0...1.3, using: &random)
                        await cancel(server, transport, after: delay)
                    }
                }
            }
        }
        // The transport has no running or queued transfer left, and carries another request.
        for loop in try transport.allLoops() {
            let left = try await loop.perform {
                $0.handles.active.count + $0.queue.waitingCount + $0.descriptors.waitingCount
            }
            #expect(left == 0)
        }
        #expect(try await transport.send(request(server, Witness())).head.statusCode == 200)
    }

    /// The duration of an exchange beside as many others as the test cancels: the shortest one,
    /// because other tests may slow some down. At most 200 ms: these tests may have ended when the
    /// cancels begin.
    private func length(
        _ server: MockServer, _ transport: CurlTransport
    ) async throws -> Duration {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<20 {
                let request = request(server, Witness())
                group.addTask {
                    try await ContinuousClock().measure { _ = try await transport.send(request) }
                }
            }
            return try await group.reduce(.milliseconds(200), min)
        }
    }

    /// Cancels an exchange at `stage`.
    private func cancel(_ server: MockServer, _ transport: CurlTransport, at stage: Stage) async {
        let witness = Witness(cancellingAt: stage)
        let task = begin(server, transport, witness)
        if stage == .begun { witness.cancel() }
        let result = await task.result
        if stage == .over { witness.cancel() }
        #expect(witness.end == stage)
        check(result, witness)
    }

    /// Cancels an exchange after `delay`.
    private func cancel(
        _ server: MockServer, _ transport: CurlTransport, after delay: Duration
    ) async {
        let witness = Witness()
        let task = begin(server, transport, witness)
        try? await Task.sleep(for: delay)
        witness.cancel()
        check(await task.result, witness)
    }

    private func begin(
        _ server: MockServer, _ transport: CurlTransport, _ witness: Witness
    ) -> Task<Int, any Error> {
        let request = request(server, witness)
        return witness.begin { try await transport.send(request).head.statusCode }
    }

    private func check(_ result: Result<Int, any Error>, _ witness: Witness) {
        do {
            #expect(try result.get() == 200)
        } catch {
            #expect((error as? URLError)?.code == .cancelled, "\(error)")
            #expect(witness.end != .over)
        }
    }
}

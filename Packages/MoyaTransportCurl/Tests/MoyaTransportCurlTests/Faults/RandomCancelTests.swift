import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A thousand cancels at random times.
@Suite(.timeLimit(.minutes(15))) struct RandomCancelTests {
    /// How far an exchange was when it was cancelled.
    private enum Stage: CaseIterable {
        case begun, sending, waiting, receiving, over
    }

    /// What an exchange tells about itself.
    private final class Witness: Sendable {
        private let state = Locked((progress: TransferProgress(), isOver: false))

        func note(_ progress: TransferProgress) { state.withLock { $0.progress = progress } }
        func end() { state.withLock { $0.isOver = true } }

        /// `length` is that of the request's body.
        func stage(_ length: Int64) -> Stage {
            let (progress, isOver) = state.withLock { $0 }
            if isOver { return .over }
            if progress.bytesReceived > 0 { return .receiving }
            if progress.bytesSent == length { return .waiting }
            return progress.bytesSent > 0 ? .sending : .begun
        }
    }

    private static let pieces = 4

    /// A request whose body takes a while.
    private func request(_ server: MockServer, _ witness: Witness) -> TransportRequest {
        var urlRequest = URLRequest(url: server.url)
        urlRequest.httpMethod = "POST"
        let body = RequestBodyStream(length: Int64(Self.pieces)) {
            let (pieces, next) = AsyncThrowingStream<Data, any Error>.makeStream()
            let sender = Task {
                for _ in 0..<Self.pieces {
                    try await Task.sleep(nanoseconds: 4_000_000)
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

    @Test func `an exchange may be cancelled at any time`() async throws {
        let server = try MockServer { _ in
            let pieces = Array(repeating: Data("x".utf8), count: Self.pieces)
            return MockResponse(body: .chunked(pieces, interval: 0.005)).delayed(by: 0.01)
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let clock = ContinuousClock()
        // How long an exchange takes, with as many at once as below: the shortest, as others may keep the machine busy.
        let length = try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<20 {
                let request = request(server, Witness())
                group.addTask {
                    let start = clock.now
                    _ = try await transport.send(request)
                    return clock.now - start
                }
            }
            return try await group.reduce(.seconds(1), min)
        }
        var stages: [Stage: Int] = [:]
        await withTaskGroup(of: [Stage].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var stages: [Stage] = []
                    for index in 0..<50 {
                        let limit = index == 0 ? nil : length * 1.3
                        stages.append(await cancel(server, transport, within: limit))
                    }
                    return stages
                }
            }
            for await group in group { for stage in group { stages[stage, default: 0] += 1 } }
        }
        #expect(stages.values.reduce(0, +) == 1000)
        for stage in Stage.allCases { #expect(stages[stage, default: 0] > 0, "\(stage)") }
        // Nothing is left of them, and the transport is as good as new.
        for loop in try transport.allLoops() {
            let left = try await loop.perform {
                $0.active.count + $0.admission.waitingCount + $0.postponed.count
            }
            #expect(left == 0)
        }
        #expect(try await transport.send(request(server, Witness())).head.statusCode == 200)
    }

    /// Cancels one exchange at a random time, or when it is over. Returns how far it was.
    private func cancel(
        _ server: MockServer, _ transport: CurlTransport, within length: Duration?
    ) async -> Stage {
        let witness = Witness()
        let request = request(server, witness)
        let task = Task {
            let response = try await transport.send(request)
            witness.end()
            return response.head.statusCode
        }
        if let length {
            try? await Task.sleep(for: length * Double.random(in: 0...1))
        } else {
            _ = await task.result
        }
        let stage = witness.stage(Int64(Self.pieces))
        task.cancel()
        do {
            #expect(try await task.value == 200)
        } catch {
            #expect((error as? URLError)?.code == .cancelled, "\(error)")
            #expect(stage != .over)
        }
        return stage
    }
}

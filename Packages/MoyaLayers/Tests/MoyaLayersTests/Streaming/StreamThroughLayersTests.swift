import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A layer, to be put around a streaming transport.
struct StreamedLayer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let around: @Sendable (any Transport, TemporaryFolder) throws -> any Transport

    init(
        _ name: String,
        _ around: @escaping @Sendable (any Transport, TemporaryFolder) throws -> any Transport
    ) {
        testDescription = name
        self.around = around
    }

    init(_ name: String, _ around: @escaping @Sendable (any Transport) -> any Transport) {
        self.init(name) { next, _ in around(next) }
    }

    static let all: [StreamedLayer] =
        [
            StreamedLayer("retry") { $0.retrying(limited()) },
            StreamedLayer("token refresh") { next in
                let tokens = TokenRefresher(token: AccessToken("t")) { _ in AccessToken("u") }
                return next.authorizing(with: tokens) { _ in true }
            },
            StreamedLayer("cache") { $0.caching(in: MemoryCacheStore()) },
            StreamedLayer("circuit breaker") { $0.breakingCircuit() },
            StreamedLayer("rate limit") { $0.limitingRate(with: RateLimiter(100, per: 1)) },
            StreamedLayer("concurrency limit") { $0.limitingConcurrency(perHost: 1) },
            StreamedLayer("hedging") { $0.hedging(after: 100_000) },
            StreamedLayer("coalescing") { $0.coalescing() },
            StreamedLayer("timeout") { $0.timingOut(after: 100_000) },
            StreamedLayer("idempotency key") { $0.addingIdempotencyKeys() },
            StreamedLayer("user agent") { $0.identifying(as: UserAgent(product: "test")) },
            StreamedLayer("archive") { $0.recording(to: try HARRecorder(to: $1.file())) },
            StreamedLayer("listener") { $0.observing { _ in } },
            StreamedLayer("all of them") { next, folder in
                try all.dropLast().reduce(next) { try $1.around($0, folder) }
            },
        ]

    private static func limited() -> RetryPolicy {
        var policy = RetryPolicy.exponential()
        policy.attemptTimeout = 100_000
        policy.totalTimeout = 100_000
        return policy
    }
}

@Suite(.timeLimit(.minutes(3))) struct StreamThroughLayersTests {
    private let source = GatedStreamTransport()
    private let folder: TemporaryFolder
    private let request = TransportRequest.test(destination: .stream)

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: StreamedLayer.all)
    func `a streamed body passes through a layer as it arrives, with its trailers`(
        layer: StreamedLayer
    ) async throws {
        let response = try await layer.around(source, folder).send(request)
        let stream = try #require(response.stream)
        var text = ""
        for try await chunk in stream {
            text += String(decoding: chunk, as: UTF8.self)
            // The source sends the rest only after the first chunk has been read.
            if text == "one" { source.finish() }
        }
        #expect(text == "onetwo")
        #expect(stream.trailers == [HeaderField(name: "X-End", value: "yes")])
        #expect(stream.metrics?.bytesReceived == 6)
        #expect(source.sendCount == 1)
        #expect(source.stopCount == 0)
    }

    @Test(arguments: StreamedLayer.all)
    func `a streamed body that breaks off fails and is not requested again`(
        layer: StreamedLayer
    ) async throws {
        let response = try await layer.around(source, folder).send(request)
        source.finish(URLError(.networkConnectionLost))
        #expect(await urlErrorCode { try await response.streamed() } == .networkConnectionLost)
        #expect(source.sendCount == 1)
    }

    @Test(arguments: StreamedLayer.all)
    func `leaving the loop over a stream stops the exchange through a layer`(layer: StreamedLayer)
        async throws
    {
        let response = try await layer.around(source, folder).send(request)
        for try await _ in try #require(response.stream) { break }
        try await source.waitForStops(1)
    }

    @Test(arguments: StreamedLayer.all)
    func `cancelling the reader of a stream stops the exchange through a layer`(
        layer: StreamedLayer
    ) async throws {
        let transport = try layer.around(source, folder)
        let (firsts, first) = AsyncStream<Void>.makeStream()
        let task = Task {
            await urlErrorCode {
                let response = try await transport.send(request)
                for try await _ in try #require(response.stream) { first.yield() }
            }
        }
        try await waitForEvent(in: firsts)
        task.cancel()
        #expect(await task.value == .cancelled)
        try await source.waitForStops(1)
    }

    @Test(arguments: StreamedLayer.all)
    func `releasing a streamed response stops the exchange through a layer`(layer: StreamedLayer)
        async throws
    {
        let transport = try layer.around(source, folder)
        _ = try await transport.send(request)
        try await source.waitForStops(1)
    }
}

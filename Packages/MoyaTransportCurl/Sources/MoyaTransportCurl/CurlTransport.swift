#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// Carries requests over libcurl.
///
/// All requests share a few threads that wait for sockets (``Configuration/threads``), and the connections that are
/// open: share one transport between providers. It is safe to use from any thread.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport())
/// ```
///
/// The request's `timeoutInterval` bounds how long nothing may move, in seconds, as it does for
/// `URLSession`. A body moves as long as the server acknowledges bytes of it on Linux, and as long as the system takes some
/// elsewhere. Responses are decompressed unless the request has an `Accept-Encoding` of its own, or a `Range`:
/// that is of the bytes as they are sent, so they are asked for uncompressed. Encoded data that break off are an error. One
/// whose `Content-Encoding` is unknown, such as `aws-chunked`, fails with `URLError(.cannotDecodeContentData)`: with an `Accept-Encoding` of its own, which
/// may be `identity`, the request gets the bytes as they come.
///
/// A child that the process forks must not use a transport of its parent's. No signal handler is installed; `SIGPIPE` is
/// blocked on the transport's own threads, so that no server can end the process with it.
public final class CurlTransport: Transport {
    let configuration: Configuration
    let exchanges = ExchangeCount()
    private let loops: Result<LoopGroup, any Error>

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what the installed libcurl cannot do.
    public init(configuration: Configuration) throws {
        try configuration.validate()
        self.configuration = configuration
        loops = Result { try LoopGroup(configuration) }
    }

    /// - Parameter options: Decides which options libcurl has taken.
    init(configuration: Configuration, options: OptionCheck) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        loops = Result {
            try LoopGroup(configuration) { try CurlLoop($0, shareOf: $1, options: options) }
        }
    }

    /// A transport with the default configuration.
    ///
    /// Should the system have no descriptor left for it, every request says so.
    public init() {
        let configuration = Configuration()
        self.configuration = configuration
        loops = Result {
            try configuration.validate()
            return try LoopGroup(configuration)
        }
    }

    deinit { shutdown() }

    /// Cancels every exchange, and has the transport's threads write the cookies to their file, close every connection
    /// and end. Does not wait for that: see ``shutdown(draining:)``. Requests made later fail with
    /// `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        if case .success(let loops) = loops { loops.stop() }
    }

    /// Refuses new requests with `URLError(.cancelled)` at once, and waits for those that have been made: also for
    /// those that wait for a connection, for redirects, and for the bodies of streamed responses. Then, or after
    /// `limit`, does what ``shutdown()`` does, and returns when the cookies are written and every connection is closed.
    ///
    /// - Parameter limit: In seconds. With 0 or less, and in a cancelled task, exchanges are not waited for.
    public func shutdown(draining limit: TimeInterval) async {
        exchanges.close()
        // NaN is no time.
        let nanoseconds = limit > 0 ? UInt64(min(limit, 1e9) * 1e9) : 0
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.exchanges.waitUntilNone() }
            group.addTask { try? await Task.sleep(nanoseconds: nanoseconds) }
            await group.next()
            group.cancelAll()
        }
        shutdown()
        if case .success(let loops) = loops { await loops.waitUntilClosed() }
    }

    /// Closes the connections that are idle now. Those in use stay, and are kept afterwards.
    public func closeIdleConnections() async {
        // Where there is no loop, and after a shutdown, there is none.
        for loop in (try? allLoops()) ?? [] {
            try? await loop.perform { $0.closeIdleConnections() }
        }
    }

    /// Runs tasks on the transport's own thread, so that a response need not cross to another one. For work that is little
    /// more than requests: the fewer are in flight, the more it saves.
    ///
    /// Nothing else moves on the transport while a task runs there: never block in one, and leave heavy
    /// computing to other executors.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(transport.taskExecutor) {
    ///     for id in ids { try await provider.request(.item(id)) }
    /// }
    /// ```
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    public var taskExecutor: (any TaskExecutor)? { try? loops.get().pick() }

    /// Opens connections to the server of `url` before they are needed, with as many `HEAD` requests at once.
    /// A server that speaks HTTP/2 needs one.
    ///
    /// - Parameter connections: How many requests. 0 or less makes none.
    /// - Throws: What ``send(_:)`` throws, for the first request that fails.
    public func warmUp(_ url: URL, connections: Int = 1) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "HEAD"
        let head = TransportRequest(request, redirectPolicy: .refuse)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More than there are ports to connect from would be of no use.
            for _ in 0..<min(max(0, connections), 65_535) {
                group.addTask { _ = try await self.send(head) }
            }
            try await group.waitForAll()
        }
    }

    /// The loop that keeps the cookies.
    func firstLoop() throws -> CurlLoop { try loops.get().first }
    func allLoops() throws -> [CurlLoop] { try loops.get().loops }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard exchanges.begin() else { throw URLError(.cancelled) }
        defer { exchanges.end() }
        let loop: CurlLoop
        do {
            loop = try loops.get().pick()
        } catch {
            throw URLError(.unknown, "\(error)", url: request.urlRequest.url, cause: error)
        }
        let allowance = configuration.exchangeTimeout.flatMap(LoopClock.nanoseconds)
        let deadline = allowance.map { LoopClock.now() &+ $0 } ?? .max
        return try await request.followingRedirects { request in
            try await exchange(request, on: loop, deadline: deadline)
        }
    }

    private func exchange(
        _ request: TransportRequest, on loop: CurlLoop, deadline: UInt64
    ) async throws -> TransportResponse {
        let transfer = Transfer(request, deadline: deadline, on: loop)
        transfer.openStream(counting: exchanges, keeping: self)
        await withTaskCancellationHandler {
            // Resumed once: ``Transfer/settle(_:)`` takes the continuation out, on the loop's thread or, where the loop
            // refuses the transfer, on this one. The loop finishes every transfer it takes.
            await withUnsafeContinuation { continuation in
                transfer.continuation = continuation
                loop.start(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try transfer.takeOutcome()
    }
}
#endif

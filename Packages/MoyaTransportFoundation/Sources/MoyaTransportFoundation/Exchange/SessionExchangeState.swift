import Foundation
import MoyaCore

/// State machine of an exchange.
///
/// An exchange ends exactly once: the transition that takes the continuation, or the relay of a
/// streamed body, also decides in the same step whether the file is kept.
struct SessionExchangeState {
    typealias Continuation = CheckedContinuation<Void, Never>

    /// Caller or reader to resume, after the lock has been released.
    enum Waiter {
        case task(Continuation)
        case reader(BodyRelay, Result<ResponseBodyWriter.Ending, any Error>)

        func resume() {
            switch self {
            case .task(let continuation): continuation.resume()
            case .reader(let relay, let result): relay.finish(result)
            }
        }
    }

    private var continuation: Continuation?
    /// Result of the exchange. Passed through the lock instead of the continuation, because
    /// ThreadSanitizer sees the lock's synchronisation, but not the continuation's.
    private(set) var outcome: Result<TransportResponse, any Error>?
    private(set) var isOver = false
    private var data = Data()
    /// Number of `didReceive data` callbacks.
    private var pieceCount = 0
    private var file: NewFile?
    /// Relay of a streamed response.
    private(set) var relay: BodyRelay?
    /// Channel to the reader of a streamed response, until its head is handed over.
    private var channel: ResponseBodyWriter?
    private var isHandedOver = false
    private(set) var progress: TransferProgress
    private(set) var response: HTTPURLResponse?
    private(set) var metrics = TransportMetrics()
    private let start = Date()
    /// Time of the last progress.
    private(set) var lastActivity = DispatchTime.now()

    /// Whether the task waits for a network connection.
    var isWaitingForConnectivity = false
    /// Whether the task is suspended for a slow reader.
    private var isHeldBack = false
    /// Whether the idle timeout is paused, because the server is not the reason for the delay.
    var isPaused: Bool { isWaitingForConnectivity || isHeldBack }

    /// State of the exchange's task.
    private enum Carrier {
        case none
        case running(stop: @Sendable () -> Void)
        /// The task has been stopped, or is left to end.
        case ending
    }

    private var carrier = Carrier.none
    /// Suspends or resumes the task. `nil` where the platform does not support that.
    private(set) var suspend: (@Sendable (Bool) -> Void)?
    /// Whether an error from the session is ignored.
    var isSettled = false
    /// Error that stopped the exchange from this side.
    var failure: (any Error)?

    init(file: NewFile?, progress: TransferProgress) {
        self.file = file
        self.progress = progress
    }

    mutating func wait(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// Registers closures that stop, suspend and resume the task. Returns `false` if the exchange
    /// has ended, so that the task is not started.
    mutating func begin(
        stop: @escaping @Sendable () -> Void, suspend: (@Sendable (Bool) -> Void)?
    ) -> Bool {
        guard case .none = carrier, !isOver else { return false }
        carrier = .running(stop: stop)
        self.suspend = suspend
        return true
    }

    /// Returns the closure that stops the task. Returns it once.
    mutating func takeStop() -> (@Sendable () -> Void)? {
        defer { carrier = .ending }
        if case .running(let stop) = carrier { return stop }
        return nil
    }

    /// Lets the task end without being stopped. Returns `false` if it has been stopped.
    mutating func leaveToEnd() -> Bool {
        guard case .running = carrier else { return false }
        carrier = .ending
        return true
    }

    mutating func open(_ relay: BodyRelay) {
        self.relay = relay
        channel = relay.open()
    }

    mutating func noteActivity() {
        lastActivity = .now()
        isWaitingForConnectivity = false
    }

    mutating func holdBack(_ isHeldBack: Bool) {
        self.isHeldBack = isHeldBack
        lastActivity = .now()
    }

    /// Removes and returns the result. Retaining it would keep a streamed body alive after its
    /// reader releases it.
    mutating func takeOutcome() -> Result<TransportResponse, any Error>? { outcome.take() }

    /// Records the session's metrics, in seconds since the start of the task.
    mutating func take(_ session: URLSessionTaskMetrics) {
        guard let transaction = session.transactionMetrics.last else { return }
        func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
        metrics.domainLookup = seconds(transaction.domainLookupEndDate)
        metrics.connect = seconds(transaction.connectEndDate)
        metrics.secureConnect = seconds(transaction.secureConnectionEndDate)
        metrics.protocolName = transaction.networkProtocolName
        metrics.isReusedConnection = transaction.isReusedConnection
        metrics.remoteAddress = transaction.remoteAddress
        #if canImport(Darwin)
            switch transaction.negotiatedTLSProtocolVersion?.rawValue {
            case 0x0301: metrics.tlsVersion = "TLSv1"
            case 0x0302: metrics.tlsVersion = "TLSv1.1"
            case 0x0303: metrics.tlsVersion = "TLSv1.2"
            case 0x0304: metrics.tlsVersion = "TLSv1.3"
            default: break
            }
        #endif
    }

    mutating func receive(_ response: HTTPURLResponse) {
        self.response = response
        noteActivity()
        metrics.firstByte = Date().timeIntervalSince(start)
    }

    /// Takes the expected body length from `response`, unless the body is compressed.
    mutating func expectLength(of response: HTTPURLResponse) {
        let length = response.expectedContentLength
        guard length >= 0, response.value(forHTTPHeaderField: "Content-Encoding") == nil else {
            return
        }
        progress.bytesToReceive = length
    }

    mutating func sent(_ count: Int64) {
        noteActivity()
        progress.bytesSent = max(count, progress.bytesSent)
    }

    mutating func receive(_ data: Data, for request: TransportRequest) throws {
        try take(data, for: request)
        noteActivity()
        progress.bytesReceived += Int64(data.count)
    }

    /// Minimum memory allowance for the pieces of a body, in bytes.
    private static let leastPieceLimit = 16 << 20

    private mutating func take(_ data: Data, for request: TransportRequest) throws {
        switch request.destination {
        case .stream: break
        case .file:
            try data.withUnsafeBytes { try file?.write($0) }
        case .memory(let limit):
            pieceCount += 1
            guard data.count <= limit - self.data.count,
                pieceCount <= max(limit, Self.leastPieceLimit) / SessionPlatform.bytesPerPiece
            else { throw URLError.bodyTooLarge(limit: limit, url: request.urlRequest.url) }
            self.data.append(data)
        }
    }

    /// Delivers the head of a streamed response. Returns the caller to resume.
    mutating func handOver(_ response: HTTPURLResponse, _ url: URL) -> Waiter? {
        guard let channel, response.statusCode >= 200, continuation != nil else { return nil }
        self.channel = nil
        isHandedOver = true
        outcome = .success(
            TransportResponse(
                head: ResponseHead(response, fallbackURL: url),
                body: .stream(ResponseBodyStream(channel)),
                metrics: metrics))
        return takeContinuation()
    }

    /// Ends the exchange with `error`, unless it is over. Returns the waiter to resume.
    mutating func fail(_ error: any Error) -> Waiter? {
        if isHandedOver { return takeReader(.failure(error)) }
        guard let waiter = takeContinuation() else { return nil }
        isOver = true
        file?.discard()
        relay?.abandon()
        relay = nil
        channel = nil
        outcome = .failure(error)
        return waiter
    }

    /// Ends the exchange with the received response, unless it is over. Returns the waiter to
    /// resume.
    mutating func succeed(
        _ request: TransportRequest, _ response: HTTPURLResponse, _ url: URL
    ) -> Waiter? {
        metrics.total = Date().timeIntervalSince(start)
        metrics.bytesSent = progress.bytesSent
        metrics.bytesReceived = progress.bytesReceived
        if isHandedOver { return takeReader(.success(.init(trailers: [], metrics: metrics))) }
        guard let waiter = takeContinuation() else { return nil }
        isOver = true
        outcome = Result {
            var body = ResponseBody.data(data)
            if case .file(let url) = request.destination {
                try file?.finish()
                body = .file(url)
            }
            return TransportResponse(
                head: ResponseHead(response, fallbackURL: url, httpVersion: metrics.httpVersion),
                body: body, metrics: metrics)
        }
        return waiter
    }

    /// Claims the end of the exchange. Without a continuation, the exchange was cancelled before
    /// its start, and `begin` returns `false`.
    private mutating func takeContinuation() -> Waiter? { continuation.take().map { .task($0) } }

    private mutating func takeReader(
        _ result: Result<ResponseBodyWriter.Ending, any Error>
    ) -> Waiter? {
        isOver = true
        return relay.take().map { .reader($0, result) }
    }
}

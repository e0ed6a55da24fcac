import Foundation
import MoyaCore

/// How far an exchange has come, and how it ended.
///
/// There is one way out: the code that takes the continuation out, or the relay of a body that is read already, has
/// then decided in the same step what becomes of the file.
struct SessionExchangeState {
    typealias Continuation = CheckedContinuation<Void, Never>

    /// A waiter to resume outside of the lock.
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
    /// What the exchange came to. Kept behind the lock, which hands it to the one who waits in a way
    /// that ThreadSanitizer can see; what a continuation does is hidden from it.
    private(set) var outcome: Result<TransportResponse, any Error>?
    private(set) var isOver = false
    private var data = Data()
    /// In how many pieces the body has come.
    private var pieceCount = 0
    private var file: NewFile?
    /// Takes a body that is read while it arrives.
    private(set) var relay: BodyRelay?
    /// Leads to who reads it. Until then it is here.
    private var channel: ResponseBodyWriter?
    private var isHandedOver = false
    private(set) var progress: TransferProgress
    private(set) var response: HTTPURLResponse?
    private(set) var metrics = TransportMetrics()
    private let start = Date()
    /// When the last byte moved.
    private(set) var lastActivity = DispatchTime.now()

    /// Whether the task has yet to see a network.
    private var isWaitingForConnectivity = false
    /// Whether the task waits for who reads the body.
    private var isHeldBack = false
    /// Whether nothing can move for a reason that is not the server's.
    var isPaused: Bool { isWaitingForConnectivity || isHeldBack }

    /// The task that carries the exchange, and what may still be done to it.
    private enum Carrier {
        case none
        case running(stop: @Sendable () -> Void)
        /// It has been stopped, or ends by itself.
        case ending
    }

    private var carrier = Carrier.none
    /// Suspends or resumes the task, where the platform can do that.
    private(set) var suspend: (@Sendable (Bool) -> Void)?
    /// Whether the session's own verdict does not count.
    var isSettled = false
    /// Why the exchange was stopped from here.
    var failure: (any Error)?

    init(file: NewFile?, progress: TransferProgress) {
        self.file = file
        self.progress = progress
    }

    mutating func wait(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// Takes what stops the task, and what suspends or resumes it. Returns whether the task shall be started: not
    /// where the exchange has ended before.
    mutating func begin(
        stop: @escaping @Sendable () -> Void, suspend: (@Sendable (Bool) -> Void)?
    ) -> Bool {
        guard case .none = carrier, !isOver else { return false }
        carrier = .running(stop: stop)
        self.suspend = suspend
        return true
    }

    /// Returns what stops the task, once.
    mutating func takeStop() -> (@Sendable () -> Void)? {
        defer { carrier = .ending }
        if case .running(let stop) = carrier { return stop }
        return nil
    }

    /// Leaves the task to end by itself. Returns `false` where it has been stopped before.
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

    mutating func waitForConnectivity() {
        isWaitingForConnectivity = true
    }

    mutating func holdBack(_ isHeldBack: Bool) {
        self.isHeldBack = isHeldBack
        lastActivity = .now()
    }

    /// Takes the outcome away, so that a body ends when its reader lets go of it.
    mutating func takeOutcome() -> Result<TransportResponse, any Error>? {
        defer { outcome = nil }
        return outcome
    }

    /// Takes what the session measured. Durations are counted from the start of the task.
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

    /// Takes the length of the body from `response`, if what arrives is going to have that length.
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

    /// What the pieces of a body may cost whatever its limit is, in bytes.
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

    /// Hands over the head of a body that is read while it arrives. Returns who waits for that.
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

    /// Ends the exchange with `error`, unless it is over. Returns who waits for that.
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

    /// Ends the exchange with what has been received, unless it is over. Returns who waits for that.
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
                head: ResponseHead(response, fallbackURL: url), body: body, metrics: metrics)
        }
        return waiter
    }

    /// Claims the end. Where no caller waits yet, `begin` is going to see that the exchange was cancelled.
    private mutating func takeContinuation() -> Waiter? {
        defer { continuation = nil }
        return continuation.map { .task($0) }
    }

    private mutating func takeReader(
        _ result: Result<ResponseBodyWriter.Ending, any Error>
    ) -> Waiter? {
        isOver = true
        defer { relay = nil }
        return relay.map { .reader($0, result) }
    }
}

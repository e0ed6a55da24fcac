import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How far one exchange has come. Does no I/O and calls nobody.
///
/// There is one way out: whoever gets the continuation from ``end()`` resumes it.
struct ExchangeState {
    typealias Continuation = CheckedContinuation<TransportResponse, any Error>

    /// How often a request is sent again that a dying connection has swallowed.
    static let maximumResends = 5

    private var continuation: Continuation?
    private(set) var isOver = false
    /// Nothing that the session still reports counts.
    private(set) var isStopped = false
    private(set) var task: URLSessionTask?
    private(set) var response: HTTPURLResponse?
    private(set) var firstByte: DispatchTime?
    private(set) var lastActivity: DispatchTime
    private var resends = 0
    private var isToBeResent = false
    /// The session's own verdict does not count: the response is the answer.
    private var isSettled = false
    var progress = TransferProgress()
    var metrics = TransportMetrics()
    let start: DispatchTime

    init(now: DispatchTime = .now(), bytesToSend: Int64?) {
        start = now
        lastActivity = now
        progress.bytesToSend = bytesToSend
    }

    mutating func wait(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// Takes the task that carries the exchange. Returns whether it may start.
    mutating func begin(_ task: URLSessionTask) -> Bool {
        self.task = task
        return !isStopped
    }

    /// From here on nothing counts. Returns the task to cancel.
    mutating func stop() -> URLSessionTask? {
        isStopped = true
        return task
    }

    /// The one way out. `nil` for all but the first, and as long as nobody waits.
    mutating func end() -> Continuation? {
        isStopped = true
        guard let continuation else { return nil }
        self.continuation = nil
        isOver = true
        return continuation
    }

    // MARK: What the session reports

    /// Whether what `task` reports is about this exchange and not about an earlier try.
    func isListening(to task: URLSessionTask) -> Bool {
        !isStopped && !isToBeResent && self.task === task
    }

    mutating func receive(_ response: HTTPURLResponse, now: DispatchTime = .now()) {
        self.response = response
        lastActivity = now
        if firstByte == nil { firstByte = now }
        let isEncoded = response.value(forHTTPHeaderField: "Content-Encoding") != nil
        let length = response.expectedContentLength
        progress.bytesToReceive = length >= 0 && !isEncoded ? length : nil
    }

    mutating func settle(with response: HTTPURLResponse) {
        receive(response)
        isSettled = true
    }

    mutating func received(_ count: Int, now: DispatchTime = .now()) -> TransferProgress {
        lastActivity = now
        progress.bytesReceived += Int64(count)
        return progress
    }

    mutating func sent(_ count: Int64, now: DispatchTime = .now()) -> TransferProgress {
        lastActivity = now
        progress.bytesSent = max(count, progress.bytesSent)
        return progress
    }

    /// The connection died under the body, which the session does not have any more.
    mutating func loseBody() {
        isToBeResent = true
    }

    /// Whether the exchange has to start all over now that its task has ended.
    mutating func resend() -> Bool {
        guard isToBeResent, !isStopped, resends < Self.maximumResends else { return false }
        isToBeResent = false
        resends += 1
        task = nil
        return true
    }

    /// What the exchange comes to when its task ended with `error`.
    func verdict(on error: (any Error)?) -> Result<HTTPURLResponse, any Error> {
        if let error, !isSettled, !Self.isAboutTrailers(error, after: response) {
            return .failure(error)
        }
        guard let response, !isToBeResent else {
            return .failure(URLError(isToBeResent ? .networkConnectionLost : .badServerResponse))
        }
        return .success(response)
    }

    /// URLSession on Linux takes trailer fields for a second head, and misses the rest of it. The body was
    /// whole by then: libcurl had no complaint.
    private static func isAboutTrailers(_ error: any Error, after response: HTTPURLResponse?)
        -> Bool
    {
        guard let response, response.statusCode >= 200 else { return false }
        return (error as NSError).localizedDescription
            == "Transfer completed, but there's no response."
    }
}

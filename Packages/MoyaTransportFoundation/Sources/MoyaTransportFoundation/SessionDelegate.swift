import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Owns a URLSession and tells each exchange what the session reports about it.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Where tasks are cancelled. URLSession on Linux blocks the thread that does it.
    static let controlQueue = DispatchQueue(label: "MoyaTransportFoundation.control")

    /// `nil` before ``open(_:)`` and after ``close()``. Making a task on an invalidated session ends the
    /// process, so that happens under this lock.
    private let session = Locked<URLSession?>(nil)
    /// Another lock than the session's: making a task waits for the session's queue, and that queue asks
    /// for exchanges.
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    let anchors: ServerTrust.Anchors?

    init(anchors: ServerTrust.Anchors?) {
        self.anchors = anchors
    }

    func open(_ configuration: URLSessionConfiguration) {
        let new = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        session.withLock { $0 = new }
    }

    /// Starts `exchange`. After ``close()`` it is cancelled.
    func start(_ exchange: SessionExchange) {
        let task = session.withLock { session -> URLSessionTask? in
            guard let session, exchange.isWanted else { return nil }
            let task = exchange.sessionRequest.makeTask(on: session)
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
            return task
        }
        guard let task else { return exchange.cancel() }
        exchange.begin(task)
    }

    /// Cancels what is under way and what comes from now on, and lets go of the session, which holds on
    /// to its delegate until it is told this.
    func close() {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        guard let session else { return }
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.cancel() }
        // Not invalidateAndCancel(): on Linux it reads the session's tasks while others change them.
        session.finishTasksAndInvalidate()
    }

    func exchange(_ task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            exchange(dataTask)?.receive(response, of: dataTask)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data, of: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent, by: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Followed above, where credentials are looked after.
        exchange(task)?.refuseRedirect(response, of: task, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        if let exchange, exchange.complete(task, error) { start(exchange) }
    }

    #if canImport(FoundationNetworking)
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            // Asked for on the session's own queue when libcurl sends the request again. There is no
            // right answer: without a stream URLSession goes on where it was in the body, and with one
            // it ends the process.
            completionHandler(nil)
            exchange(task)?.loseBody(of: task)
        }
    #else
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            exchange(task)?.receive(TransportMetrics(metrics))
        }
    #endif
}

import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tells each exchange what its session reports about it.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var exchanges: [Int: SessionExchange] = [:]
        var isClosed = false
    }

    private let state = Locked(State())
    /// Certificates to trust in place of the system's, in PEM form.
    private let anchors: Data?

    init(anchors: Data?) {
        self.anchors = anchors
    }

    /// Starts `exchange`. After ``close()`` it is cancelled.
    func start(_ exchange: SessionExchange, on session: URLSession) {
        // Making a task on an invalidated session ends the process, so both happen under one lock.
        let task = state.withLock { state -> URLSessionTask? in
            guard !state.isClosed else { return nil }
            let task = Self.makeTask(for: exchange.request, on: session)
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
        guard let task, exchange.begin(task) else {
            if let task { forget(task) }
            return exchange.cancel()
        }
        exchange.watchForStandstill()
        task.resume()
    }

    /// Cancels what comes from now on. Returns whether this was the first call.
    func close() -> Bool {
        let (isFirst, exchanges) = state.withLock { state in
            defer { state.isClosed = true }
            return (!state.isClosed, Array(state.exchanges.values))
        }
        for exchange in exchanges { exchange.cancel() }
        return isFirst
    }

    /// 11 days. Whatever the request says, URLSession is told this: some platforms count milliseconds in
    /// an Int, of 32 bits too, and end the process where they do not fit.
    private static let longestTimeout: TimeInterval = 1_000_000

    private static func makeTask(
        for request: TransportRequest, on session: URLSession
    ) -> URLSessionTask {
        var urlRequest = request.urlRequest
        // URLSession counts the bytes itself.
        urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
        // The exchange watches the time itself.
        urlRequest.timeoutInterval = longestTimeout
        switch request.body {
        case .none:
            // A POST, PUT or PATCH without a body still says that it has none (RFC 9110, section 8.6).
            guard ["POST", "PUT", "PATCH"].contains(urlRequest.httpMethod ?? "GET") else {
                return session.dataTask(with: urlRequest)
            }
            return session.uploadTask(with: urlRequest, from: Data())
        case .data(let data): return session.uploadTask(with: urlRequest, from: data)
        case .file(let url): return session.uploadTask(with: urlRequest, fromFile: url)
        }
    }

    private func exchange(_ task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    private func forget(_ task: URLSessionTask) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { exchange(dataTask)?.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Followed above, where credentials are looked after.
        exchange(task)?.receive(response)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchange(task)
        forget(task)
        // Some responses are never reported, but kept by the task.
        if let response = task.response as? HTTPURLResponse { exchange?.receiveIfFirst(response) }
        exchange?.complete(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
            // Server trust is asked for here as well, where no method of the session's answers it.
            guard let anchors, let trust = challenge.protectionSpace.serverTrust else {
                // Without a credential of the session's this hands over the 401, answered above.
                return completionHandler(.performDefaultHandling, nil)
            }
            if ServerTrust.isTrusted(trust, anchors: anchors) {
                return completionHandler(.useCredential, URLCredential(trust: trust))
            }
            exchange(task)?.settle(
                with: URLError(
                    .serverCertificateUntrusted,
                    "The server's certificate is signed by none of the transport's own.",
                    url: task.currentRequest?.url))
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            // Here URLSession either sends a credential or gives up, so the 401 is taken from the challenge.
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchange(task)?.settle(with: response)
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #endif
    }
}

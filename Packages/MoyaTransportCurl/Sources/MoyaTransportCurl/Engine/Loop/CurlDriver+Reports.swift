#if CURL
import MoyaCore

/// What a loop reports to the observers of its transfers (`ExchangeEvent`).
extension CurlDriver {
    /// Reports that `attempt` begins to use a connection, if either is observed.
    func noteUse(of endpoints: ConnectionEndpoints, by attempt: Attempt) {
        noteLeave(by: attempt)
        if context.observedConnections.contains(endpoints) {
            attempt.connecting.observed = endpoints
            context.observedConnections.use(endpoints)?()
        } else if let observer = attempt.transfer.observer {
            // A connection that was opened for another request is not observed.
            let socket = attempt.handle.openedSockets.last {
                ConnectionEndpoints.Address(localAddressOf: $0) == endpoints.local
            }
            guard let socket else { return }
            attempt.connecting.observed = endpoints
            context.observedConnections.open(
                socket, endpoints, for: attempt.url, observer, at: LoopClock.now())()
        }
    }

    /// Reports that `attempt` has left the connection that it used.
    func noteLeave(by attempt: Attempt) {
        guard let endpoints = attempt.connecting.observed.take() else { return }
        context.observedConnections.leave(endpoints)?()
    }

    /// Reports the end of `attempt`, if its transfer is observed.
    func noteEnd(of attempt: Attempt, _ result: Result<TransportResponse, any Error>) {
        guard let observer = attempt.transfer.observer else { return }
        let metrics =
            (try? result.get().metrics) ?? ResponseSummary.metrics(ofFailed: attempt)
        observer(.exchanged(attempt.request, result, metrics: metrics))
    }

    /// Reports that `transfer` waits for a connection, if it is observed.
    func noteQueued(_ transfer: Transfer) {
        guard let observer = transfer.observer else { return }
        transfer.queuedSince = LoopClock.now()
        observer(.queued(transfer.request, waitingCount: queue.waitingCount))
    }

    /// Reports that `transfer` no longer waits for a connection, if it did.
    func noteDequeued(_ transfer: Transfer) {
        guard let since = transfer.queuedSince.take() else { return }
        let wait = Double(LoopClock.now() &- since) / 1e9
        transfer.observer?(
            .dequeued(transfer.request, waitingCount: queue.waitingCount, wait: wait))
    }
}
#endif

import Foundation
import MoyaCore
import MoyaStubs

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension RunController {
    /// Carries out one exchange. Returns its response, and whether redirects get the same response.
    ///
    /// - Throws: The error of the fault or of the server; `URLError(.cancelled)`.
    func exchange(
        _ request: TransportRequest, life: Int, clock: TestClock
    ) async throws -> (TransportResponse, repeats: Bool) {
        let earlierNotes = state.withLock(\.notes.count)
        // A cancelled flow that retries in a loop passes through the executor here, so that its
        // steps count towards the limit.
        await Task.yield()
        var request = try await request.withWholeBody()
        // The network keeps the deadline, and servers do not know it.
        request.deadline = nil
        try await checkAlive(life)
        let (number, fault) = state.withLock {
            $0.begin(request, life: life, earlierNotes: earlierNotes)
        }
        do {
            try await clock.sleep(for: options.latency)
            let reply = try await reply(to: request, number, fault, life)
            let response = try await deliver(reply, to: request, number, clock)
            return (response, fault?.repeatsOnRedirect ?? false)
        } catch {
            finish(number)
            if error is CancellationError { throw URLError(.cancelled) }
            throw error
        }
    }

    /// Lets the server act as often as the fault says, and returns the reply that the flow gets.
    private func reply(
        to request: TransportRequest, _ number: Int, _ fault: Fault?, _ life: Int
    ) async throws -> FaultReply {
        guard let fault else { return await act(on: request, number) }
        var answer: FaultReply?
        for _ in 0..<fault.reach.rawValue { answer = await act(on: request, number) }
        switch fault.effect {
        case .cancel:
            cancelFlow()
            // Throws only in the flow's tasks. A task that shares this request with the flow is not
            // cancelled, and continues.
            try Task.checkCancellation()
        case .kill:
            kill()
            try await checkAlive(life)
        case .reply(let make):
            let exchange = FaultedExchange(
                request: request, answer: answer,
                previous: state.withLock { $0.reply(before: number) }, latency: options.latency)
            let reply = make(exchange)
            // The fault does not apply to this request, or its reply equals the server's answer.
            if fault.reach != .twice, reply == nil || reply?.signature == answer?.signature {
                state.withLock { $0.effect = .none }
            }
            if let reply { return reply }
        }
        if let answer { return answer }
        return await act(on: request, number)
    }

    /// Passes the request to the server. Runs in an unstructured task, so that cancelling the flow
    /// does not cancel the server.
    private func act(on request: TransportRequest, _ number: Int) async -> FaultReply {
        state.withLock { $0.act(number) }
        var inner = request
        inner.destination = .memory(limit: .max)
        inner.progress = nil
        inner.informational = nil
        let acting = Task(executorPreference: executor) { [inner, server] in
            try await FaultReply(server.send(inner))
        }
        let answer: FaultReply =
            switch await acting.result {
            case .success(let reply): reply
            case .failure(let error): FaultReply(kind: .failure(error))
            }
        state.withLock { $0.answer(answer, to: number) }
        return answer
    }

    /// Delivers the reply with a ``StubTransport``, which applies its delay and its cut.
    private func deliver(
        _ reply: FaultReply, to request: TransportRequest, _ number: Int, _ clock: TestClock
    ) async throws -> TransportResponse {
        try Task.checkCancellation()
        state.withLock { $0.reply(reply, to: number) }
        let transport = StubTransport(reply.stub(for: request.urlRequest.url), clock: clock)
        let response = try await transport.send(request)
        if case .stream(let stream) = response.body {
            stream.whenEnded { [self] _ in finish(number) }
        } else {
            finish(number)
        }
        return response
    }

    private func finish(_ number: Int) { state.withLock { $0.finish(number) } }

    /// Suspends a request of a killed process, and fails a request after the end of the run.
    private func checkAlive(_ life: Int) async throws {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { $0.admit(life, continuation) }
            if goesOn { continuation.resume() }
        }
        if state.withLock(\.isClosed) { throw URLError(.cancelled) }
    }
}

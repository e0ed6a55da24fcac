import Foundation
import MoyaCore
import MoyaInternals

/// A transport that holds each request until the test answers it.
public final class GatedTransport: Transport {
    private struct Held {
        let request: TransportRequest
        let outcome: Locked<Result<TransportResponse, any Error>>
        let end: CheckedContinuation<Void, Never>
    }

    private struct State {
        var held: [Int: Held] = [:]
        var isOpen = false
        var sendCount = 0
        var arrivedCount = 0
        var cancelCount = 0
    }

    private let state = Locked(State())
    private let response: @Sendable (TransportRequest) throws -> TransportResponse

    /// - Parameter response: Makes the responses, unless ``answer(_:_:)`` is called with its own
    ///   closure.
    public init(
        _ response: @escaping @Sendable (TransportRequest) throws -> TransportResponse = {
            try .test($0)
        }
    ) {
        self.response = response
    }

    /// Number of requests received.
    public var sendCount: Int { state.withLock(\.sendCount) }
    /// Number of requests that were cancelled while they were held.
    public var cancelCount: Int { state.withLock(\.cancelCount) }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.sendCount += 1
            return state.sendCount
        }
        // The outcome is handed over under a lock: ThreadSanitizer does not see the synchronisation
        // of continuations.
        let outcome = Locked(Result<TransportResponse, any Error>.failure(URLError(.cancelled)))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    state.held[id] = Held(request: request, outcome: outcome, end: continuation)
                    state.arrivedCount += 1
                    return state.isOpen
                }
                if Task.isCancelled { cancel(id) }
                if isOpen { answer(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.withLock { $0 }.get()
    }

    /// Waits until `count` requests have been held, including those already answered.
    public func waitForSends(
        _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await until(fileID: fileID, line: line) { state.withLock(\.arrivedCount) >= count }
    }

    /// Answers the request with this number, counted from 1. With `nil`, all held requests.
    ///
    /// - Parameter answer: Makes the response. `nil` uses the closure of the initialiser.
    public func answer(
        _ id: Int? = nil,
        _ answer: (@Sendable (TransportRequest) throws -> TransportResponse)? = nil
    ) {
        let answer = answer ?? response
        let due = state.withLock { state in
            let due = state.held.filter { id == nil || $0.key == id }
            for id in due.keys { state.held[id] = nil }
            return due.sorted { $0.key < $1.key }.map(\.value)
        }
        for held in due {
            let outcome = Result { try answer(held.request) }
            held.outcome.withLock { $0 = outcome }
            held.end.resume()
        }
    }

    /// Answers all held requests, and each later request at once.
    public func open() {
        state.withLock { $0.isOpen = true }
        answer()
    }

    private func cancel(_ id: Int) {
        let held = state.withLock { state in
            let held = state.held.removeValue(forKey: id)
            if held != nil { state.cancelCount += 1 }
            return held
        }
        held?.end.resume()
    }
}

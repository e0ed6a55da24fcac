import Foundation
import MoyaCore
import MoyaInternals

/// A transport that holds each exchange until the test lets it go.
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

    /// - Parameter response: What exchanges are answered with, unless ``answer(_:_:)`` says otherwise.
    public init(
        _ response: @escaping @Sendable (TransportRequest) throws -> TransportResponse = {
            try .test($0)
        }
    ) {
        self.response = response
    }

    /// How many exchanges have begun.
    public var sendCount: Int { state.withLock(\.sendCount) }
    /// How many were cancelled while they were held.
    public var cancelCount: Int { state.withLock(\.cancelCount) }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.sendCount += 1
            return state.sendCount
        }
        // Handed over under a lock: what a continuation does is hidden from ThreadSanitizer.
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

    /// Waits until `count` exchanges are held, or have been.
    public func waitForSends(
        _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await until(fileID: fileID, line: line) { state.withLock(\.arrivedCount) >= count }
    }

    /// Answers the exchange with this number, counted from 1, or whichever are held.
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

    /// Answers the exchanges that are held, and later ones at once.
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

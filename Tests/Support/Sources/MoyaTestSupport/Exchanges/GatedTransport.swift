import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that holds each exchange until the test lets it go.
public final class GatedTransport: Transport {
    private struct Held {
        let request: TransportRequest
        let outcome: Locked<Result<TransportResponse, any Error>>
        let end: CheckedContinuation<Void, Never>
    }

    private struct State {
        var held: [Int: Held] = [:]
        var sendCount = 0
        var arrivedCount = 0
        var cancelCount = 0
    }

    private let state = Locked(State())

    public init() {}

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
                state.withLock { state in
                    state.held[id] = Held(request: request, outcome: outcome, end: continuation)
                    state.arrivedCount += 1
                }
                if Task.isCancelled { cancel(id) }
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
        _ answer: @Sendable (TransportRequest) throws -> TransportResponse = { try .test($0) }
    ) {
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

    private func cancel(_ id: Int) {
        let held = state.withLock { state in
            let held = state.held.removeValue(forKey: id)
            if held != nil { state.cancelCount += 1 }
            return held
        }
        held?.end.resume()
    }
}

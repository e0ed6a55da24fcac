import Foundation
import MoyaCore
import MoyaInternals
import MoyaCore
import MoyaTestSupport

/// A transport that holds each exchange until the test lets it go.
final class GatedTransport: Transport {
    private struct State {
        var held: [CheckedContinuation<Void, any Error>] = []
        var isOpen = false
        var sendCount = 0
    }

    private let state = Locked(State())
    private let handler: @Sendable (TransportRequest) throws -> TransportResponse

    init(
        _ handler: @escaping @Sendable (TransportRequest) throws -> TransportResponse = { request in
            let url = request.urlRequest.url ?? url("http://host.test")
            return TransportResponse(
                head: ResponseHead(statusCode: 200, url: url), body: .data(Data("answer".utf8)))
        }
    ) {
        self.handler = handler
    }

    /// How many exchanges have begun.
    var sendCount: Int { state.withLock(\.sendCount) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        state.withLock { $0.sendCount += 1 }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.held.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
                if Task.isCancelled { release(throwing: URLError(.cancelled)) }
            }
        } onCancel: {
            release(throwing: URLError(.cancelled))
        }
        return try handler(request)
    }

    /// Waits until `count` exchanges have begun.
    func waitForSends(
        _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await until(fileID: fileID, line: line) { sendCount >= count }
    }

    /// Lets everything go that is held, and whatever comes later.
    func open() {
        state.withLock { $0.isOpen = true }
        release(throwing: nil)
    }

    private func release(throwing error: (any Error)?) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held {
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}

/// A transport that answers at once with a status and a body, or fails.
struct FixedTransport: Transport {
    var status = 200
    var body = ResponseBody.data(Data("answer".utf8))
    var error: (any Error)?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let error { throw error }
        let head = ResponseHead(
            statusCode: status, url: request.urlRequest.url ?? url("http://host.test"))
        return TransportResponse(head: head, body: body)
    }
}

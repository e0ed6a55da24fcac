import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport with streamed responses: the body starts with `one`, and ``finish(_:)`` sends `two`
/// and the end.
public final class GatedStreamTransport: Transport {
    private struct State {
        var writers: [ResponseBodyWriter] = []
        var stopCount = 0
    }

    private let state = Locked(State())
    private let statuses: [Int]

    /// - Parameter statuses: Status codes of the responses, in order. The last one repeats. Without
    ///   any, each response has status 200.
    public init(statuses: Int...) {
        self.statuses = statuses
    }

    /// Number of requests received.
    public var sendCount: Int { state.withLock(\.writers.count) }
    /// Number of bodies that their readers cancelled before the end.
    public var stopCount: Int { state.withLock(\.stopCount) }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let writer = ResponseBodyWriter(resume: {}, stop: { [weak self] in self?.stopped() })
        _ = Data("one".utf8).withUnsafeBytes { writer.offer($0) }
        let number = state.withLock { state in
            state.writers.append(writer)
            return state.writers.count
        }
        var response = try TransportResponse.test(
            request, number <= statuses.count ? statuses[number - 1] : statuses.last ?? 200)
        response.body = .stream(ResponseBodyStream(writer))
        return response
    }

    /// Sends the rest of the last body, or ends it with `error`.
    public func finish(_ error: URLError? = nil) {
        guard let writer = state.withLock(\.writers.last) else { return }
        if let error { return writer.finish(.failure(error)) }
        _ = Data("two".utf8).withUnsafeBytes { writer.offer($0) }
        var metrics = TransportMetrics()
        metrics.bytesReceived = 6
        writer.finish(
            .success(.init(trailers: [HeaderField(name: "X-End", value: "yes")], metrics: metrics)))
    }

    /// Waits until ``stopCount`` is at least `count`.
    public func waitForStops(
        _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await until(fileID: fileID, line: line) { stopCount >= count }
    }

    private func stopped() { state.withLock { $0.stopCount += 1 } }
}

extension TransportResponse {
    /// The body if it is a stream, otherwise `nil`.
    public var stream: ResponseBodyStream? {
        if case .stream(let stream) = body { stream } else { nil }
    }

    /// Reads a streamed body to its end, 1 MiB at most, and returns it as text.
    public func streamed() async throws -> String {
        guard let stream else { throw URLError(.badServerResponse) }
        return String(decoding: try await stream.collect(upTo: 1 << 20), as: UTF8.self)
    }
}

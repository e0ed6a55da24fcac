import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Error: the bytes present do not belong to the server's current version of the file.
struct ResourceChanged: Error {
    let restart: TransferRestart
}

/// Error: received bytes do not match their expected digest.
struct ChecksumMismatch: Error {
    let expected: Checksum
    let actual: Checksum

    /// Error that callers receive.
    var error: DownloadError {
        DownloadError(
            .checksumMismatch, "Checksum mismatch: expected \(expected), got \(actual).")
    }
}

/// Fetches the missing bytes of a file over one or more connections.
final class DownloadFetch: Sendable {
    /// Error: the server refuses a connection while other connections are open.
    private struct TooManyConnections: Error {}

    private let requester: Requester
    private let store: DownloadStore
    private let options: ResumableDownloadOptions
    private let reporter: FileProgressReporter
    private let connections: Int
    private let limit: Locked<ConnectionLimit>

    init(
        _ requester: Requester, into store: DownloadStore, options: ResumableDownloadOptions,
        reporter: FileProgressReporter, connections: Int
    ) {
        self.requester = requester
        self.store = store
        self.options = options
        self.reporter = reporter
        self.connections = connections
        limit = Locked(ConnectionLimit(most: max(1, connections)))
    }

    /// Fetches all missing segments.
    ///
    /// - Throws: ``ResourceChanged``; ``ChecksumMismatch``; ``MoyaError`` when no attempts are
    ///   left; ``DownloadError``; errors of writing.
    func run() async throws {
        var first: SegmentResponse?
        if store.state.withLock({ !$0.isSplit }) {
            var budget = TransferRetry.Budget(options.retry)
            first = try await open(0, &budget)
            store.state.withLock { $0.split(into: connections, minimum: options.minimumSegment) }
            try await store.save()
        }
        let missing = store.state.withLock { state in
            state.segments.indices.filter { !state.segments[$0].isComplete }
        }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            var waiting = missing[...]
            func start() {
                while !waiting.isEmpty, limit.withLock({ $0.open() }) {
                    let index = waiting.removeFirst()
                    let response = index == 0 ? first : nil
                    first = nil
                    group.addTask { try await self.fetchOrWait(index, from: response) }
                }
            }
            start()
            while let refused = try await group.next() {
                if let refused { waiting.append(refused) }
                start()
            }
        }
    }

    // MARK: Connections

    /// Fetches a segment to its end. Returns the segment's index if the server refused the
    /// connection, so that the segment has to wait until another one is complete.
    private func fetchOrWait(_ index: Int, from response: SegmentResponse?) async throws -> Int? {
        do {
            try await fetch(index, from: response)
        } catch is TooManyConnections {
            return index
        }
        limit.withLock { $0.close() }
        return nil
    }

    /// Fetches a segment to its end. Reconnects when the connection breaks.
    private func fetch(_ index: Int, from response: SegmentResponse?) async throws {
        let start = store.state.withLock { $0.segments[index].done }
        var budget = TransferRetry.Budget(options.retry, at: start)
        var response = response
        while !store.state.withLock({ $0.segments[index].isComplete }) {
            if response == nil { response = try await open(index, &budget) }
            guard let current = response else { return }
            response = nil
            var failure: URLError?
            do {
                try await read(current, index)
            } catch let error as URLError {
                failure = error
            }
            let segment = store.state.withLock { $0.segments[index] }
            let count = budget.reached(segment.done)
            if let failure {
                try await requester.wait(
                    after: .underlying(failure, nil), &budget, by: options.clock)
            } else if !segment.isComplete, count < TransferRetry.Budget.minimumProgress {
                let error = DownloadError(
                    .inconsistentServer,
                    "The server sent \(count) bytes of a range of the file, and fewer than were asked for."
                )
                try await budget.wait(after: .underlying(error, nil), by: options.clock)
            }
        }
    }

    /// Requests a segment until a response arrives. Returns `nil` if no bytes are missing.
    private func open(
        _ index: Int, _ budget: inout TransferRetry.Budget
    ) async throws -> SegmentResponse? {
        while true {
            do {
                return try await ask(index)
            } catch let error as MoyaError {
                // A server that refuses a connection gets one connection less at once. After a
                // network failure, the connection is retried, and dropped when its attempts are
                // used up.
                let isCrowded = requester.isTransient(error)
                if isCrowded, error.response != nil { try yieldToOthers() }
                do {
                    try await requester.wait(after: error, &budget, by: options.clock)
                } catch let error as MoyaError {
                    if isCrowded { try yieldToOthers() }
                    throw error
                }
            }
        }
    }

    /// Drops this connection if other connections are open.
    private func yieldToOthers() throws {
        if limit.withLock({ $0.closeRefused() }) { throw TooManyConnections() }
    }

    // MARK: Responses

    /// Sends one range request for a segment. Returns `nil` if no bytes are missing.
    private func ask(_ index: Int) async throws -> SegmentResponse? {
        let (range, headers) = store.state.withLock { $0.rangeRequest(index) }
        let answer = try await requester.send(RequestChange(headers: headers))
        let head = answer.head
        switch RangeResponse(head, to: range) {
        case .refused: throw await answer.refusal()
        case .changed(let restart): throw ResourceChanged(restart: restart)
        case .slice: throw DownloadError.slice(head)
        case .complete:
            await answer.body.skip()
            store.state.withLock { $0.end(head) }
            return nil
        case .part(let end):
            store.state.withLock { $0.go(on: head) }
            return SegmentResponse(answer: answer, end: end)
        case .whole:
            guard store.state.withLock({ !$0.isSplit }) else {
                throw ResourceChanged(restart: .wholeForRange)
            }
            if head.isCoded, store.state.withLock({ $0.leaveCodings() }) {
                // The server compresses the file whatever is asked. Some transports do not decode
                // the response to a request with an Accept-Encoding of its own.
                await answer.body.skip()
                return try await ask(index)
            }
            return try await begin(answer)
        }
    }

    /// Starts with an empty file for a response with the whole file.
    private func begin(_ answer: StreamingResponse) async throws -> SegmentResponse {
        try store.partial.startOver()
        let (end, restart) = store.state.withLock { state in
            let restart = state.restart(with: answer.head)
            state.begin(answer.head)
            return (state.total, restart)
        }
        if let restart { reporter.report(restart) }
        try await store.save()
        return SegmentResponse(answer: answer, end: end)
    }

    /// Writes the body, up to the end of the segment or of the response.
    private func read(_ response: SegmentResponse, _ index: Int) async throws {
        var digest = ContentDigest(response.answer.head)
        for try await chunk in response.answer.body {
            let segment = store.state.withLock { $0.segments[index] }
            let room = min(response.end ?? .max, segment.end ?? .max) - segment.offset
            let part = room < Int64(chunk.count) ? chunk.prefix(Int(room)) : chunk
            try store.partial.write(part, at: segment.offset)
            let isDue = store.state.withLock {
                $0.advance(index, by: part.count, savingInterval: options.savingInterval)
            }
            reporter.report { store.state.withLock { ($0.completed, $0.total) } }
            if isDue { try await store.save() }
            digest?.update(chunk)
            guard part.count == room, let end = response.end else { continue }
            // The remaining bytes of this response belong to the segments of other connections.
            if segment.end ?? end < end { return }
            guard part.count == chunk.count else {
                throw DownloadError(
                    .inconsistentServer, "The server sent more bytes than it had announced.")
            }
        }
        let offset = store.state.withLock { $0.segments[index].offset }
        guard let end = response.end else { return store.state.withLock { $0.end(nil) } }
        guard offset == end else {
            throw URLError(
                .networkConnectionLost, "The body of the response ended early.", url: nil)
        }
        if let digest, let actual = try digest.wrongDigest() {
            throw ChecksumMismatch(expected: digest.expected, actual: actual)
        }
    }
}

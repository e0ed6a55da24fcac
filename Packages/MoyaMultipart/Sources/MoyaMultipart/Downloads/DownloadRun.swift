import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One attempt to get a file whole, out of what is there and as many exchanges as it takes.
final class DownloadRun: Sendable {
    /// What is there does not fit what the server has now.
    private struct ResourceChanged: Error {}

    /// The server refuses a connection, and others are open.
    private struct TooManyConnections: Error {}

    private let requester: Requester
    private let place: KnownDestination
    private let options: ResumableDownloadOptions
    private let teller: ProgressTeller
    private let partial: PartialFile
    private let source: String
    private let state = Locked(DownloadState())
    private let lanes = Locked(Lanes())
    private let saving = NSLock()

    /// - Throws: ``DownloadError``, ``FileTransferError``, a POSIX error: what would be in the way.
    init(
        _ requester: Requester, to place: KnownDestination, options: ResumableDownloadOptions,
        teller: ProgressTeller
    ) throws {
        guard requester.method == .get else {
            throw DownloadError(
                .notResumable, "Only what a GET answers can be downloaded in parts.")
        }
        try place.prepareFolder()
        self.requester = requester
        self.place = place
        self.options = options
        self.teller = teller
        source = PartialState.source(of: requester.url)
        partial = try PartialFile(for: place.file)
    }

    func run() async throws -> DownloadedFile {
        try load()
        var restarts = 0
        while true {
            do {
                // Copies of the file that do not agree about its parts may each be good as a whole.
                try await fetchAll(over: restarts == 0 ? options.connections : 1)
                return try finish()
            } catch is ResourceChanged {
                restarts += 1
                guard restarts <= options.retry.attempts else {
                    throw DownloadError(
                        .inconsistentServer,
                        "The server's answers to requests for parts of the file do not fit together."
                    )
                }
                try partial.startOver()
                state.withLock { $0.startAnew() }
            } catch let mismatch as Mismatch {
                // What is there is wrong from an unknown byte on: nothing of it can be used. Only now that nobody
                // writes any more can it be given up.
                partial.discard()
                state.withLock { $0.startOver() }
                throw mismatch.error
            } catch {
                // The error is the news; without a state, the next attempt starts from the beginning.
                try? save()
                throw error
            }
        }
    }

    private func load() throws {
        let length = try partial.length
        if let saved = partial.loadState(),
            let segments = saved.segments(of: source, fileLength: length)
        {
            if segments.count == 1 { try partial.truncate(to: segments[0].offset) }
            state.withLock { $0.resume(saved, segments) }
        } else {
            try partial.startOver()
        }
    }

    // MARK: Fetching

    private func fetchAll(over connections: Int) async throws {
        // The connections of an earlier round are gone, however it ended.
        lanes.withLock { $0 = Lanes(most: max(1, connections)) }
        var first: Incoming?
        if state.withLock({ !$0.isSplit }) {
            var budget = TransferRetry.Budget(options.retry)
            first = try await open(0, &budget)
            state.withLock { $0.split(into: connections, minimum: options.minimumSegment) }
            try save()
        }
        let open = state.withLock { state in
            state.segments.indices.filter { !state.segments[$0].isComplete }
        }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            var waiting = open[...]
            func start() {
                while !waiting.isEmpty, lanes.withLock({ $0.open() }) {
                    let index = waiting.removeFirst()
                    let incoming = index == 0 ? first : nil
                    first = nil
                    group.addTask { try await self.run(index, from: incoming) }
                }
            }
            start()
            while let refused = try await group.next() {
                if let refused { waiting.append(refused) }
                start()
            }
        }
    }

    /// Fetches a segment to its end. Returns its index where it has to wait for the end of another.
    private func run(_ index: Int, from incoming: Incoming?) async throws -> Int? {
        do {
            try await fetch(index, from: incoming)
        } catch is TooManyConnections {
            return index
        }
        lanes.withLock { $0.close() }
        return nil
    }

    /// Fetches a segment to its end.
    private func fetch(_ index: Int, from incoming: Incoming?) async throws {
        var budget = TransferRetry.Budget(options.retry)
        var incoming = incoming
        while !state.withLock({ $0.segments[index].isComplete }) {
            let before = state.withLock(\.furthest)
            if incoming == nil { incoming = try await open(index, &budget) }
            guard let current = incoming else { return }
            incoming = nil
            do {
                try await read(current, index)
            } catch let error as URLError {
                if state.withLock(\.furthest) > before { budget.progressed() }
                try await requester.wait(
                    after: .underlying(error, nil), &budget, by: options.clock)
            }
        }
    }

    /// Asks for a segment until there is an answer. `nil` if nothing is missing.
    private func open(
        _ index: Int, _ budget: inout TransferRetry.Budget
    ) async throws -> Incoming? {
        while true {
            do {
                return try await ask(index)
            } catch let error as MoyaError {
                // A server's answer is heard at once, what the network breaks may do better.
                let isCrowded = requester.isTemporary(error)
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

    /// Leaves the server to the other connections, if there are any.
    private func yieldToOthers() throws {
        if lanes.withLock({ $0.giveUp() }) { throw TooManyConnections() }
    }

    private func ask(_ index: Int) async throws -> Incoming? {
        let (question, headers) = state.withLock { $0.question(index) }
        let answer = try await requester.send(RequestChange(headers: headers))
        let head = answer.head
        switch RangeVerdict(head, to: question) {
        case .refused: throw await answer.unusable()
        case .changed: throw ResourceChanged()
        case .complete:
            state.withLock { $0.end(head) }
            return nil
        case .part(let end):
            state.withLock { $0.go(on: head) }
            return Incoming(answer: answer, end: end)
        case .whole:
            guard state.withLock({ !$0.isSplit }) else { throw ResourceChanged() }
            try partial.startOver()
            let end = state.withLock { state in
                state.begin(head)
                return state.total
            }
            try save()
            return Incoming(answer: answer, end: end)
        }
    }

    /// Writes what comes, up to the end of the segment or of the answer.
    private func read(_ incoming: Incoming, _ index: Int) async throws {
        var digest = MessageDigest(incoming.answer.head)
        for try await chunk in incoming.answer.body {
            let segment = state.withLock { $0.segments[index] }
            let room = min(incoming.end ?? .max, segment.end ?? .max) - segment.offset
            let part = room < Int64(chunk.count) ? chunk.prefix(Int(room)) : chunk
            try partial.write(part, at: segment.offset)
            let isDue = state.withLock {
                $0.advance(index, by: part.count, savingInterval: options.savingInterval)
            }
            teller.tell { state.withLock { ($0.completed, $0.total) } }
            if isDue { try save() }
            digest?.update(chunk)
            guard part.count == room, let end = incoming.end else { continue }
            // The rest of this answer is another connection's.
            if segment.end ?? end < end { return }
            guard part.count == chunk.count else {
                throw DownloadError(
                    .inconsistentServer, "The server sent more bytes than it had announced.")
            }
        }
        let offset = state.withLock { $0.segments[index].offset }
        guard let end = incoming.end else { return state.withLock { $0.end(nil) } }
        guard offset == end else {
            throw URLError(
                .networkConnectionLost, "The body of the response ended early.", url: nil)
        }
        if let digest, let actual = try digest.wrongDigest() {
            throw mismatch(digest.expected, actual)
        }
    }

    // MARK: The end

    private func finish() throws -> DownloadedFile {
        let (total, digest, head, received) = state.withLock {
            ($0.total, $0.digest, $0.head, $0.received)
        }
        let length = try partial.length
        guard let head, length == total else {
            throw DownloadError(
                .inconsistentServer,
                "The file has \(length) bytes where \(total ?? 0) were to come.")
        }
        for expected in [options.checksum, digest].compactMap({ $0 }) {
            let actual = try Checksum(expected.algorithm, of: partial.url)
            guard actual == expected else { throw mismatch(expected, actual) }
        }
        try partial.place(
            at: place.file, replaces: place.options.contains(.removePreviousFile))
        teller.tell { (length, length) }
        return DownloadedFile(
            file: place.file, byteCount: length, receivedByteCount: received, head: head)
    }

    /// What came has another digest than it was to have.
    private struct Mismatch: Error {
        let error: DownloadError
    }

    private func mismatch(_ expected: Checksum, _ actual: Checksum) -> Mismatch {
        Mismatch(
            error: DownloadError(
                .checksumMismatch,
                "The file was to have the digest \(expected), and what came has \(actual)."))
    }

    private func save() throws {
        saving.lock()
        defer { saving.unlock() }
        guard let saved = state.withLock({ $0.saved(source) }) else { return }
        try partial.save(saved)
    }
}

import Foundation
import MoyaCore
import MoyaInternals

/// Options of a ``HARRecorder``.
public struct HAROptions: Sendable {
    /// Redaction of header fields, URLs and bodies. `Redaction.none` writes secrets to the file.
    public var redaction: Redaction = .default
    /// Maximum size of a recorded body, in bytes. Only bodies in memory are recorded. Default: 0,
    /// which records no body, because no redaction finds every secret in a body.
    public var maximumBodySize = 0
    /// Masks secrets in a body, given the body and its `Content-Type`. By default it masks what
    /// ``redaction`` finds in forms, JSON, XML and text: see `Redaction.redact(body:)`.
    public var maskBody: @Sendable (_ body: Data, _ contentType: String) -> Data {
        get { ownMask ?? { [redaction] body, _ in redaction.redact(body: body) } }
        set { ownMask = newValue }
    }

    private var ownMask: (@Sendable (_ body: Data, _ contentType: String) -> Data)?

    /// Creates the default options: common secrets are masked, and bodies are omitted.
    public init() {}
}

/// Records requests and responses in an HTTP Archive (HAR 1.2), which browsers' developer tools
/// open.
///
/// ```swift
/// let recorder = try HARRecorder(to: folder.appendingPathComponent("session.har"))
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport().recording(to: recorder))
/// // …
/// try recorder.finish()
/// ```
///
/// Each exchange is appended as a line to a journal beside the archive. The archive is written from
/// the journal from time to time, and by ``finish()``. It is replaced atomically, so it is valid at
/// any time. After a crash, the next recorder for the same file continues with the journal.
public final class HARRecorder: Sendable {
    private let writer: HARWriter
    private let clock: any MoyaClock
    /// Accessed on ``queue`` only.
    private let journal: Locked<HARJournal>
    /// Queue for file access, which may block.
    private let queue: DispatchQueue

    /// Creates a recorder that writes to `file`, and continues the journal of an earlier recorder.
    ///
    /// - Throws: Errors of creating or reading the journal.
    public convenience init(
        to file: URL, options: HAROptions = HAROptions(), clock: any MoyaClock = .system
    ) throws {
        try self.init(
            to: file, options: options, clock: clock, queue: DispatchQueue(label: "moya.har"))
    }

    init(to file: URL, options: HAROptions, clock: any MoyaClock, queue: DispatchQueue) throws {
        writer = HARWriter(options: options)
        self.clock = clock
        self.queue = queue
        journal = Locked(try HARJournal(file: file))
    }

    /// Waits for records being written, writes the archive and removes the journal. Exchanges that
    /// end later are added to the archive.
    ///
    /// - Throws: Errors of writing. The journal is kept in that case.
    public func finish() throws {
        try queue.sync { try journal.withLock { try $0.finish() } }
    }

    /// Writes the archive from the journal of a process that died.
    ///
    /// - Returns: Whether a journal of this user existed.
    /// - Throws: Errors of reading the journal and writing the archive.
    @discardableResult
    public static func recover(_ file: URL) throws -> Bool {
        guard Ownership(of: HARJournal.journal(of: file)) == .own else { return false }
        var journal = try HARJournal(file: file)
        try journal.finish()
        return true
    }

    func record(
        _ request: TransportRequest, _ exchange: () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let started = clock.now
        let from = clock.uptime
        let append: @Sendable (Result<TransportResponse, any Error>, TimeInterval) -> Void = {
            [self] outcome, end in
            let entry = writer.entry(request, outcome, started: started, duration: end - from)
            // A full disk does not fail the request.
            if let line = try? JSONEncoder().encode(entry) {
                journal.withLock { try? $0.append(line) }
            }
        }
        let outcome = await Result(of: exchange)
        if case .success(let response) = outcome, case .stream = response.body {
            // The reader of the last byte must not wait for the disk.
            response.whenEnded { [queue, clock] outcome in
                let end = clock.uptime
                queue.async { append(outcome, end) }
            }
        } else {
            let end = clock.uptime
            await DiskWork.perform(on: queue) { append(outcome, end) }
        }
        return try outcome.get()
    }
}

extension Transport {
    /// Wraps this transport in a layer that records its exchanges with `recorder`. Inside a layer
    /// that retries, each attempt is an exchange.
    public func recording(to recorder: HARRecorder) -> some Transport {
        Layer(around: self) { request in
            try await recorder.record(request) { try await send(request) }
        }
    }
}

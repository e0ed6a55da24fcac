import Foundation
import MoyaCore
import MoyaInternals

/// What a ``HARRecorder`` writes down.
public struct HAROptions: Sendable {
    /// What is masked in header fields, URLs and bodies. `Redaction.none` writes secrets into the file.
    public var redaction: Redaction = .default
    /// Bodies in memory of at most so many bytes are recorded. None unless you say otherwise, as no rule knows every secret
    /// in a body.
    public var maximumBodySize = 0
    /// Masks secrets in a body. Has the body and its `Content-Type`. Unless you say otherwise it masks what ``redaction``
    /// finds in forms, JSON, XML and text: see `Redaction.redact(body:)`.
    public var maskBody: @Sendable (_ body: Data, _ contentType: String) -> Data {
        get { ownMask ?? { [redaction] body, _ in redaction.redact(body: body) } }
        set { ownMask = newValue }
    }

    private var ownMask: (@Sendable (_ body: Data, _ contentType: String) -> Data)?

    /// Masks what is usually secret, and leaves bodies out.
    public init() {}
}

/// Records exchanges in an HTTP Archive (HAR 1.2), which developer tools of browsers open.
///
/// ```swift
/// let recorder = try HARRecorder(to: folder.appendingPathComponent("session.har"))
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport().recording(to: recorder))
/// // …
/// try recorder.finish()
/// ```
///
/// Each exchange becomes a line of a journal beside the file, and the file is made of the journal: now
/// and then, and by ``finish()``. It takes its place in one step, so it is whole at any time. After a
/// crash the journal is still there, and the next recorder for the same file begins with it.
public final class HARRecorder: Sendable {
    private let writer: HARWriter
    private let clock: any MoyaClock
    /// Used on ``queue`` alone.
    private let journal: Locked<HARJournal>
    /// Files block, and must not block a thread that others wait for.
    private let queue: DispatchQueue

    /// - Throws: What making the journal throws.
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

    /// Waits for what is being recorded, writes the file and removes the journal. What is recorded later, as the exchanges
    /// that are under way, is added to the file.
    ///
    /// - Throws: What writing throws. The journal is kept then.
    public func finish() throws {
        try queue.sync { try journal.withLock { try $0.finish() } }
    }

    /// Makes the file of the journal that a process left behind when it died.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: What writing throws.
    @discardableResult
    public static func recover(_ file: URL) throws -> Bool {
        guard FileManager.default.fileExists(atPath: HARJournal.journal(of: file).path) else {
            return false
        }
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
            // A full disk is no reason to fail an exchange.
            if let line = try? JSONEncoder().encode(entry) {
                journal.withLock { try? $0.append(line) }
            }
        }
        let outcome = await Result(of: exchange)
        if case .success(let response) = outcome, case .stream = response.body {
            // Who reads the last byte does not wait for the disk.
            response.whenOver { [queue, clock] outcome in
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
    /// This transport, its exchanges recorded by `recorder`. Inside a layer that retries, each attempt is
    /// an exchange.
    public func recording(to recorder: HARRecorder) -> some Transport {
        Layer { request in try await recorder.record(request) { try await send(request) } }
    }
}

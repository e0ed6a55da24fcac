import Foundation
@_spi(MoyaInternals) import MoyaCore

/// What a ``HARRecorder`` writes down.
public struct HAROptions: Sendable {
    /// What is masked in header fields, URLs and bodies. ``Redaction/none`` writes secrets into the file.
    public var redaction: Redaction = .default
    /// Bodies in memory of at most so many bytes are recorded. None unless you say otherwise, as secrets
    /// in bodies have no common form.
    public var maximumBodySize = 0
    /// Takes out of a body what nobody is to see. Has the body and its `Content-Type`. Unless you say otherwise
    /// it masks fields of forms and JSON that ``redaction`` says are secret: see ``Redaction/redact(body:)``.
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
    private let clock: any LayerClock
    private let state: Locked<HARJournal>

    /// - Throws: What making the journal throws.
    public init(
        to file: URL, options: HAROptions = HAROptions(), clock: any LayerClock = .system
    ) throws {
        writer = HARWriter(options: options)
        self.clock = clock
        state = Locked(try HARJournal(file: file))
    }

    /// Writes the file and removes the journal. What is recorded later, as the exchanges that are under way,
    /// is added to the file.
    ///
    /// - Throws: What writing throws. The journal is kept then.
    public func finish() throws {
        try state.withLock { try $0.finish() }
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

    /// Times `exchange` and records what comes of it.
    func record(
        _ request: TransportRequest, _ exchange: () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let started = clock.now
        let from = clock.uptime
        return try await perform(exchange) { [self] outcome in
            let entry = writer.entry(
                request, outcome, started: started, duration: clock.uptime - from)
            // A full disk is no reason to fail an exchange.
            if let line = try? JSONEncoder().encode(entry) {
                state.withLock { try? $0.append(line) }
            }
        }
    }
}

/// A layer that records exchanges.
public struct RecordingTransport: Transport {
    let next: any Transport
    let recorder: HARRecorder

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await recorder.record(request) { try await next.send(request) }
    }
}

extension Transport {
    /// This transport, its exchanges recorded by `recorder`. Inside a layer that retries, each attempt is
    /// an exchange.
    public func recording(to recorder: HARRecorder) -> RecordingTransport {
        RecordingTransport(next: self, recorder: recorder)
    }
}

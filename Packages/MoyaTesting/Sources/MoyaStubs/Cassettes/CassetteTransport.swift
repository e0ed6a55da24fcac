import Foundation
import MoyaCore
import MoyaInternals

/// Records real exchanges once and plays them back afterwards, as an HTTP Archive (HAR 1.2).
/// Browsers read and write the same format.
///
/// ```swift
/// let file = URL(fileURLWithPath: #filePath)
///     .deletingLastPathComponent().appendingPathComponent("zen.har")
/// let provider = MoyaProvider<GitHub>(transport: try CurlTransport().cassette(at: file))
/// ```
///
/// Secrets in header fields, URLs and bodies are masked before the file is written, and in requests
/// before they are compared: see `Redaction`. The file is readable only by its owner (mode 0600).
/// Failures are played but not recorded, so that a temporary network failure does not become
/// permanent. Each episode is played once, unless ``Options/allowsRepeats`` is set.
public final class CassetteTransport: Transport {
    /// Whether exchanges are played or recorded.
    public enum Mode: Sendable {
        /// Plays. A request without an episode fails.
        case none
        /// Records everything if there is no cassette. Otherwise plays like ``none``.
        case once
        /// Plays existing episodes and records all other requests.
        case newEpisodes
        /// Records everything and replaces the existing cassette.
        case all
    }

    /// Options for finding and writing episodes.
    public struct Options: Sendable {
        /// Conditions under which an episode answers a request.
        public var matchers: [CassetteMatcher] = [.method, .url]
        /// Whether the last episode for a request answers all further equal requests. Episodes
        /// recorded in this run are not played.
        public var allowsRepeats = false
        /// Secrets to mask in header fields and URLs, and in bodies unless ``maskBody`` is set.
        /// `Redaction.none` writes secrets into the file.
        public var redaction: Redaction = .default
        /// Masks secrets in a body, given the body and its `Content-Type`. `nil` masks secrets of
        /// ``redaction`` in forms, JSON, XML and text (see `Redaction.redact(body:)`), and records
        /// other bodies unchanged.
        public var maskBody: (@Sendable (_ body: Data, _ contentType: String) -> Data)?

        /// Creates the default options: episodes match by method and URL, each is played once, and
        /// common secrets are masked.
        public init() {}

        var mask: CassetteMask {
            let redaction = redaction
            return CassetteMask(
                redaction: redaction,
                maskBody: maskBody ?? { body, _ in redaction.redact(body: body) })
        }
    }

    private let file: CassetteFile
    private let records: Bool
    private let plays: Bool
    private let next: (any Transport)?
    private let mask: CassetteMask
    private let choice: CassetteState.Options
    private let clock: TestClock?
    private let state: Locked<CassetteState>

    /// Creates a cassette in `file`.
    ///
    /// - Parameters:
    ///   - file: The HTTP Archive.
    ///   - mode: Whether exchanges are played or recorded.
    ///   - next: Transport for the exchanges to record.
    ///   - options: Options for finding and writing episodes.
    ///   - clock: Clock for played episodes. `nil` uses real time.
    /// - Throws: ``CassetteError`` if the file is not an HTTP Archive, or if it is missing and
    ///   recording is not possible.
    public init(
        at file: URL, mode: Mode = .once, recording next: (any Transport)? = nil,
        options: Options = Options(), clock: TestClock? = nil
    ) throws {
        if mode == .all, next == nil {
            throw CassetteError(
                description: "Recording needs a transport: "
                    + "CassetteTransport(at: file, mode: .all, recording: transport).")
        }
        let stored = mode == .all ? nil : try CassetteFile.load(file)
        if stored == nil, mode == .none || next == nil {
            throw CassetteError(
                description: "There is no cassette at \(file.path). Record it: "
                    + "CassetteTransport(at: file, mode: .once, recording: transport).")
        }
        self.file = CassetteFile(file)
        self.next = next
        self.clock = clock
        mask = options.mask
        choice = .init(
            name: file.lastPathComponent, matchers: options.matchers,
            allowsRepeats: options.allowsRepeats)
        plays = mode != .all
        records =
            switch mode {
            case .none: false
            case .once: stored == nil
            case .newEpisodes, .all: true
            }
        state = Locked(CassetteState(stored ?? HARArchive(), mask: options.mask))
    }

    /// Whether all episodes were played.
    public var allPlayed: Bool { state.withLock { $0.unplayed.isEmpty } }

    /// Method and URL of the episodes that were not played.
    public var unplayed: [String] { state.withLock(\.unplayed) }

    /// The header fields of the transport whose exchanges are recorded.
    public var sessionHeaders: [String: String] { next?.sessionHeaders ?? [:] }

    /// Plays the episode for `request`, or records it. Follows redirects.
    ///
    /// - Throws: The error of the episode or of the transport; ``CassetteError`` if there is no
    ///   episode, or if the file cannot be written.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Archives of browsers contain each redirect as a separate episode.
        try await request.keepingDeadline { [self] request in
            try await request.followingRedirects { try await exchange($0) }
        }
    }

    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        let whole = try await request.takingInBody()
        let wanted = mask.request(whole)
        if plays {
            let matching = state.withLock { $0 }.matching(wanted, choice)
            if let episode = state.withLock({ $0.play(matching, choice) }) {
                return try await StubPlayer(request: request, clock: clock, body: whole.body)
                    .play(episode.stub)
            }
        }
        guard records, let next else {
            throw CassetteError(
                description: state.withLock { $0 }.explanation(wanted, choice, fix: fix))
        }
        var outgoing = request.body.isReplayable ? request : whole
        // An episode is recorded as a whole, so the body of a stream is collected first.
        if case .stream = request.destination { outgoing.destination = .memory() }
        return try await record(whole) { [outgoing] in try await next.send(outgoing) }
    }

    private func record(
        _ request: TransportRequest, _ exchange: () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let started = Date()
        let from = ProcessInfo.processInfo.systemUptime
        let response = try await exchange().takingInBody()
        let duration = ProcessInfo.processInfo.systemUptime - from
        do {
            let entry = EpisodeWriter(mask: mask).entry(
                request, response, body: try response.bodyBytes, started: started,
                duration: duration)
            let episode = Episode(entry, mask: mask)
            let text = try HARArchive.encode(entry)
            state.withLock { $0.record(episode, text) }
            try await file.save { [state] in state.withLock { ($0.archive, $0.version) } }
        } catch {
            response.discard()
            throw error
        }
        return response
    }

    private var fix: String {
        next == nil
            ? "Record it: CassetteTransport(at: file, mode: .newEpisodes, recording: transport)."
            : "Record it with mode: .newEpisodes, or delete the file and record all of it."
    }
}

extension Transport {
    /// Returns a cassette that records the exchanges of this transport once in `file` and plays
    /// them afterwards.
    ///
    /// - Throws: ``CassetteError`` if the file is not an HTTP Archive, or if it is missing and
    ///   `mode` does not record.
    public func cassette(
        at file: URL, mode: CassetteTransport.Mode = .once,
        options: CassetteTransport.Options = .init()
    ) throws -> CassetteTransport {
        try CassetteTransport(at: file, mode: mode, recording: self, options: options)
    }
}

extension TransportResponse {
    fileprivate var bodyBytes: Data {
        get throws {
            switch body {
            case .data(let data): data
            case .file(let url): try Data(contentsOf: url)
            case .stream: Data()
            }
        }
    }

    /// Returns this response with a streamed body read into memory.
    fileprivate func takingInBody() async throws -> TransportResponse {
        guard case .stream(let stream) = body else { return self }
        var response = self
        response.body = .data(
            try await stream.collect(upTo: ResponseDestination.defaultMemoryLimit))
        return response
    }
}

import Foundation
import MoyaCore
import MoyaInternals

/// Records real exchanges once and plays them ever after: as an HTTP Archive (HAR 1.2), which browsers write and
/// open as well.
///
/// ```swift
/// let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("zen.har")
/// let provider = MoyaProvider<GitHub>(transport: try CurlTransport().cassette(at: file))
/// ```
///
/// What usually is secret in header fields, URLs and bodies is masked before it is written, and in requests before they are
/// compared: see `Redaction`. The file is for its owner's eyes alone (mode 0600). Failures are played and not recorded: a network that is down today would
/// be down for ever. Each episode is played once, unless ``Options/allowsRepeats`` says otherwise.
public final class CassetteTransport: Transport {
    /// What is played and what is recorded.
    public enum Mode: Sendable {
        /// Plays. What is not on the cassette fails.
        case none
        /// Records everything if there is no cassette yet; afterwards plays as ``none`` does.
        case once
        /// Plays what is on the cassette and records the rest.
        case newEpisodes
        /// Records everything, in the place of what there was.
        case all
    }

    /// How episodes are found and written.
    public struct Options: Sendable {
        /// What has to be the same for an episode to answer a request.
        public var matchers: [CassetteMatcher] = [.method, .url]
        /// Whether the last episode for a request answers it again and again. What was recorded just now is not played.
        public var allowsRepeats = false
        /// What is masked in header fields and URLs, and in bodies unless ``maskBody`` says otherwise.
        /// `Redaction.none` writes secrets into the file.
        public var redaction: Redaction = .default
        /// Masks secrets in a body. Has the body and its `Content-Type`. `nil` masks what ``redaction`` finds in forms,
        /// JSON, XML and text: see `Redaction.redact(body:)`. Everything else is recorded as it came.
        public var maskBody: (@Sendable (_ body: Data, _ contentType: String) -> Data)?

        /// Episodes are found by method and URL, each is played once, and what is usually secret is masked.
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

    /// A cassette in `file`.
    ///
    /// - Parameters:
    ///   - next: Carries what is recorded.
    ///   - clock: The time that playing goes by. `nil` is real time.
    /// - Throws: ``CassetteError`` for a file that is no archive, or that is missing where nothing may be recorded.
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

    /// Whether every episode was played.
    public var allPlayed: Bool { state.withLock { $0.unplayed.isEmpty } }

    /// The episodes that were not played, as method and URL.
    public var unplayed: [String] { state.withLock(\.unplayed) }

    /// Plays the episode for `request`, or records it.
    ///
    /// - Throws: What the episode or the transport says; ``CassetteError`` where there is no episode, or where one cannot
    ///   be written.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // An archive of a browser's has redirects as episodes of their own.
        try await request.followingRedirects { try await exchange($0) }
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
        // What is recorded has to be whole first.
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
    /// This transport, its exchanges recorded once in `file` and played from then on.
    ///
    /// - Throws: ``CassetteError`` for a file that is no archive, or that is missing where nothing may be recorded.
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

    /// This response with its body in memory where it comes in pieces.
    fileprivate func takingInBody() async throws -> TransportResponse {
        guard case .stream(let stream) = body else { return self }
        var response = self
        response.body = .data(
            try await stream.collect(upTo: ResponseDestination.defaultMemoryLimit))
        return response
    }
}

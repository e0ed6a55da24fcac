#if CURL
import MoyaCore

/// Reads the responses to a request from the lines and bytes that libcurl passes on, and judges
/// them. libcurl accepts responses that are invalid, cut off or endless.
///
/// A state machine without I/O, which alone knows heads and framing.
///
/// ```
/// head ─empty line▶ whole ─first byte▶ body
///  ▲                  │
///  └─── another head ─┘
/// ```
/// Other lines in `whole` and `body` are trailer fields. Another connection leads from each state
/// to `head`.
struct ResponseReader {
    /// The properties of the request that its responses depend on.
    struct Request {
        var isHead = false
        /// Whether it asks for another protocol (RFC 9110, section 7.8).
        var asksForUpgrade = false
        /// Whether it waits for `100 Continue`.
        var expectsContinue = false
        /// Whether libcurl may answer a challenge with Negotiate. It then sends the request without
        /// its body first.
        var negotiates = false
    }

    enum Event {
        /// The line belongs to a head that goes on, or to the trailer fields.
        case none
        /// The line ends a head: call ``finishHead(_:status:)``.
        case end
        /// The response is invalid, or too long.
        case refused(String)
        case outOfMemory
    }

    /// A whole head.
    enum Head {
        /// The response is invalid.
        case refused(String)
        /// Of an informational response (RFC 9110, section 15.2).
        case informational
        /// Of a response that libcurl may answer with another request.
        case challenge
        /// Of a 417 to a request that expects a `100`. libcurl would repeat the request with its
        /// `Expect` field, up to eleven times. MoyaCore repeats it without.
        case refusedExpectation
        /// Of the last response.
        case last
    }

    /// Why a response is not valid, or not whole.
    enum Fault: Equatable {
        case invalid(String)
        case cutOff(String)
    }

    /// What else is known when libcurl has accepted the response.
    struct End {
        /// libcurl's status code.
        var status: Int
        /// Whether the body has the announced length. `nil` if none was announced.
        var hasWholeLength: Bool?
        /// Whether libcurl may have taken an invalid HTTP/2 frame for the end of a body, and have
        /// dropped the bytes before it.
        var mayLackFrames = false
        /// Whether close_notify has come. `nil` if the end of the TLS connection does not end the
        /// body.
        var hasCloseNotify: Bool?
    }

    private enum State { case head, whole, body }

    /// The most bytes of header and trailer lines, with those of informational responses. libcurl's
    /// own limits are higher and not always applied.
    static let fieldLimit = 256 << 10
    /// The most challenges that are answered. A server that reports every nonce as stale (RFC 7616,
    /// section 3.3) would otherwise be challenged again without end.
    static let challengeLimit = 10
    /// The fault of a head whose first field line continues no field.
    static let firstFieldFault = "The response's first header field begins with a space."
    /// The fault of a response without a status that both libcurl and this reader understand.
    static let statusFault = "The response's status line has no status code."

    var request = Request()
    private var state = State.head
    /// The lines of the head, as received.
    private var lines: RawBytes
    /// The status code of a whole head that libcurl understands too. Otherwise 0.
    private(set) var statusCode = 0
    private(set) var framing = BodyFraming()
    private(set) var trailers: [HeaderField] = []
    /// Whether the server has responded at all, on any connection. A challenge or an informational
    /// response counts.
    private(set) var hasAnswer = false
    /// Whether the server has responded since libcurl last began to write the request.
    private(set) var hasAnswerSinceBegin = false
    /// Bytes of lines since libcurl last began to write the request.
    private(set) var lineBytes = 0
    /// Whether the rest of the body is not wanted, as of a redirect that is followed.
    private(set) var isCutShort = false
    private var counts = (fieldBytes: 0, challenges: 0)
    private var chunks = ChunkScan()

    /// - Parameter storage: Empty memory for the lines. ``takeStorage()`` returns it.
    init(storage: RawBytes) { lines = storage }

    /// The memory of the lines, which the caller frees.
    mutating func takeStorage() -> RawBytes { exchange(&lines, with: RawBytes()) }

    // MARK: Questions

    var hasHead: Bool { state != .head }
    var isReadingBody: Bool { state == .body }
    var hasFinalHead: Bool { hasHead && statusCode >= 200 }
    /// Whether lines of a head are stored.
    var hasLines: Bool { lines.count > 0 }
    /// The head's lines.
    var head: UnsafeRawBufferPointer { lines.bytes }
    /// Whether a body may follow the head (RFC 9112, section 6.3).
    var mayHaveBody: Bool {
        !request.isHead && statusCode >= 200 && statusCode != 204 && statusCode != 304
    }
    /// Whether no body follows the head.
    var isWithoutBody: Bool { !mayHaveBody || framing.isEmpty }
    /// Whether the response ends with the connection, over HTTP/1.
    var endsWithConnection: Bool { mayHaveBody && framing.endsWithConnection }
    /// Whether a head has to come: the first, or another after an informational response or a
    /// challenge.
    var awaitsHead: Bool { state == .head || state == .whole && mayBeFollowed }
    /// Whether another head may follow the whole one.
    private var mayBeFollowed: Bool {
        StatusLine.mayBeFollowed(head, whileNegotiating: request.negotiates)
    }
    /// The codings of the body (RFC 9110, section 8.4), in the order in which they were applied.
    var contentCodings: [String] { HeaderScan.contentCodings(head) }

    // MARK: Events of the connection

    /// libcurl begins to write the request.
    mutating func noteBegin() { (hasAnswerSinceBegin, lineBytes) = (false, 0) }

    /// libcurl opens another connection.
    mutating func noteConnection() { leaveHead() }

    // MARK: The head

    /// Takes a line of a head or of trailer fields.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
        (hasAnswer, hasAnswerSinceBegin) = (true, true)
        if beginsHead(line) { leaveHead() }
        lineBytes += line.count
        counts.fieldBytes += line.count
        guard counts.fieldBytes <= Self.fieldLimit else {
            return .refused("The response has more than \(Self.fieldLimit) bytes of header fields.")
        }
        // Trailer fields must not be merged into the header fields (RFC 9110, section 6.5.1).
        guard state == .head else {
            addTrailers(line)
            return .none
        }
        framing.note(line)
        guard lines.append(line) else { return .outOfMemory }
        // libcurl takes every line that begins with a carriage return for the empty line.
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else {
            return .none
        }
        state = .whole
        return .end
    }

    /// Whether `line` begins a head, rather than being a field that looks like a status line.
    /// libcurl passes each line to the same callback, so a server could make such a field pass for
    /// the head of another response.
    private func beginsHead(_ line: UnsafeRawBufferPointer) -> Bool {
        guard hasLines else { return true }
        guard state == .whole else { return false }
        // An informational response has neither a body nor trailer fields.
        if StatusLine.isInformational(head) { return true }
        // libcurl takes "http/1.1 404" for a status line too. No trailer field begins so, because a
        // name has no slash.
        return HeaderScan.begins(line, "http/") && mayBeFollowed
    }

    /// Discards an earlier head: of an informational response, of a challenge, or from a connection
    /// that failed.
    private mutating func leaveHead() {
        if hasHead, !StatusLine.isInformational(head) {
            // A challenge is a response by itself: the next one's fields are counted from 0.
            counts = (0, counts.challenges + 1)
        }
        state = .head
        lines.removeAll()
        (statusCode, framing, trailers) = (0, BodyFraming(), [])
        chunks = ChunkScan()
    }

    /// Judges a head that `end`, its last line, has made whole.
    ///
    /// - Parameter status: libcurl's status code.
    mutating func finishHead(_ end: UnsafeRawBufferPointer, status: Int) -> Head {
        guard agrees(with: status) else { return .refused(Self.statusFault) }
        statusCode = status
        guard end.count <= 2, end.last == UInt8(ascii: "\n") else {
            return .refused("A line of the response's head begins with a carriage return.")
        }
        // libcurl would take the bytes of the other protocol for the body (RFC 9110, section
        // 15.2.2).
        if status == 101, !request.asksForUpgrade {
            return .refused(
                "The server switches to another protocol, which the request has not asked for.")
        }
        if mayHaveBody, let fault = framing.fault { return .refused(fault.rawValue) }
        switch status {
        case ..<200: return .informational
        case 401 where request.negotiates, 407:
            guard counts.challenges < Self.challengeLimit else {
                return .refused(
                    "The server or proxy rejected the request \(counts.challenges + 1) times.")
            }
            return .challenge
        case 417 where request.expectsContinue:
            isCutShort = true
            return .refusedExpectation
        default: return .last
        }
    }

    /// Whether the head has libcurl's status code. libcurl reads a line that it does not
    /// understand, such as "http/1.1 404", as status 200, also when that is the status line after
    /// an answered challenge.
    private func agrees(with status: Int) -> Bool {
        statusCode > 0 ? statusCode == status : StatusLine.code(of: head) == status
    }

    /// Parses trailer fields. libcurl delivers fields that arrived during a pause as one piece.
    private mutating func addTrailers(_ lines: UnsafeRawBufferPointer) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            // A folded line has no name (RFC 9112, section 5.2).
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimmingCharacters(in: CharacterSet(charactersIn: " \t\r"))
            trailers.append(HeaderField(name: name, value: value))
        }
    }

    // MARK: The body

    /// The first byte of a body arrives.
    mutating func beginBody(status: Int) -> Fault? {
        if hasHead { state = .body }
        return agrees(with: status) ? nil : .invalid(Self.statusFault)
    }

    /// The rest of the body is not wanted.
    mutating func cutShort() { isCutShort = true }

    /// Takes a piece of a chunked body with its framing. Returns whether bytes follow the body.
    mutating func takeFramed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        framing.isChunked && chunks.consume(bytes)
    }

    // MARK: The end

    /// The fault of a response that libcurl has accepted.
    func fault(at end: End) -> Fault? {
        // libcurl accepts a truncated head, and an informational response alone.
        guard hasHead, statusCode == 0 || statusCode >= 200 || statusCode == 101 else {
            return .cutOff("The connection ended within the response's header fields.")
        }
        guard agrees(with: end.status) else { return .invalid(Self.statusFault) }
        if isCutShort { return nil }
        // Without a body, the length is that of another response (RFC 9110, section 8.6).
        if mayHaveBody, end.hasWholeLength == false {
            return .cutOff("The response's body ended before the length that was announced.")
        }
        if end.mayLackFrames, mayHaveBody, !isReadingBody, !contentCodings.isEmpty {
            return .cutOff("The response's body ended before the first byte of its encoding.")
        }
        // An attacker or an intermediary may have closed the connection (RFC 9112, section 9.8).
        if end.hasCloseNotify == false {
            return .cutOff(
                "The connection ended without TLS's close_notify, so that the response's body may be cut off."
            )
        }
        // RFC 9112, sections 7.1 and 8.
        if chunks.endsWithReturn {
            return .cutOff("The connection ended within the last line of the response's body.")
        }
        return nil
    }
}
#endif

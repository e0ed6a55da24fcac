import Foundation

/// Takes a multipart body apart as it arrives: `multipart/form-data`, `multipart/mixed`, `multipart/byteranges` and
/// every other kind (RFC 2046, section 5.1).
///
/// ```swift
/// var parser = try MultipartParser(boundary: "b")
/// for chunk in chunks {
///     for event in try parser.parse(chunk) { handle(event) }
/// }
/// for event in try parser.finish() { handle(event) }
/// ```
///
/// It does no I/O and keeps nothing but what may belong to a delimiter or to header fields: never more than
/// ``MultipartLimits/headerSize`` and a chunk. ``MultipartReader`` runs it over an asynchronous sequence.
public struct MultipartParser: Sendable {
    /// What there is to say about a body, in order: for each part a ``part(_:)``, any number of ``data(_:)``, an
    /// ``end``.
    public enum Event: Sendable, Hashable {
        /// A part begins.
        case part(MultipartHeader)
        /// More bytes of the part.
        case data(Data)
        /// The part is whole.
        case end
    }

    private enum State {
        case preamble, header, body, epilogue
    }

    let limits: MultipartLimits
    private var search: DelimiterSearch
    private var state = State.preamble
    private var failure: MultipartReadingError?

    // What has come and not gone. The delimiter starts with CRLF, but the first one may stand at the very start.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    private var position = 0
    /// How many bytes of the header fields are known to hold no end of them.
    private var headerScanned = 0
    /// How much of the line end before a body has not gone by: it may be that of a delimiter as well.
    private var lineEndLeft = 0
    private var partCount = 0
    private var partSize: Int64 = 0

    /// - Throws: ``MultipartReadingError`` for a boundary that RFC 2046 does not allow.
    public init(
        boundary: String, limits: MultipartLimits = MultipartLimits()
    ) throws {
        guard Boundary.isValid(boundary) else { throw MultipartReadingError.badBoundary(boundary) }
        search = DelimiterSearch(boundary: boundary)
        self.limits = limits
    }

    /// Takes the boundary from the value of a `Content-Type`.
    ///
    /// - Throws: ``MultipartReadingError`` where there is none.
    public init(
        contentType: String?, limits: MultipartLimits = MultipartLimits()
    ) throws {
        let type = HeaderParameters(contentType ?? "", quoting: .standard)
        guard type.value.hasPrefix("multipart/"), let boundary = type["boundary"],
            Boundary.isValid(boundary)
        else { throw MultipartReadingError.noBoundary(contentType: contentType) }
        try self.init(boundary: boundary, limits: limits)
    }

    /// Takes more of the body, and gives what there is to say about it. Chunks may be of any size.
    ///
    /// - Throws: ``MultipartReadingError``, after what could be said before it has been given.
    public mutating func parse(_ chunk: Data) throws -> [Event] {
        if let failure { throw failure }
        guard state != .epilogue else { return [] }
        buffer.append(contentsOf: chunk)
        var events: [Event] = []
        do throws(MultipartReadingError) {
            while try step(&events) {}
        } catch {
            failure = error
            if events.isEmpty { throw error }
        }
        buffer.removeFirst(position)
        position = 0
        return events
    }

    /// Whether the closing delimiter has come, and nothing more matters.
    var isClosed: Bool { state == .epilogue }

    /// How many bytes are kept until more has come.
    var bufferedCount: Int { buffer.count }

    /// Says that there is nothing more, and gives what is left to say: the ``Event/end`` of a part whose closing
    /// delimiter has no end of its line.
    ///
    /// - Throws: ``MultipartReadingError/truncated`` for a body without its closing delimiter.
    public mutating func finish() throws -> [Event] {
        if let failure { throw failure }
        guard state != .epilogue else { return [] }
        guard state != .header, search.next(in: buffer, from: 0).kind == .closeAtEnd else {
            throw MultipartReadingError.truncated
        }
        defer { state = .epilogue }
        return state == .body ? [.end] : []
    }

    /// Goes one step on. `false` where that takes more of the body.
    private mutating func step(_ events: inout [Event]) throws(MultipartReadingError) -> Bool {
        switch state {
        case .preamble, .body: return try readBody(&events)
        case .header: return try readHeader(&events)
        case .epilogue:
            position = buffer.count
            return false
        }
    }

    private mutating func readBody(_ events: inout [Event]) throws(MultipartReadingError) -> Bool {
        let isBody = state == .body
        let found = search.next(in: buffer, from: position)
        if isBody { try deliver(upTo: found.start, &events) }
        position = found.start
        switch found.kind {
        case .none, .closeAtEnd: return false
        case .part(let lineEnd):
            position = lineEnd
            state = .header
            headerScanned = 0
        case .close: state = .epilogue
        }
        if isBody { events.append(.end) }
        return true
    }

    private mutating func deliver(
        upTo end: Int, _ events: inout [Event]
    ) throws(MultipartReadingError) {
        let start = min(position + lineEndLeft, end)
        lineEndLeft -= start - position
        guard start < end else { return }
        let room = Int(clamping: max(0, limits.partSize - partSize))
        partSize += Int64(end - start)
        if room > 0 {
            events.append(.data(Data(buffer[start..<min(end, start + min(room, end - start))])))
        }
        if end - start > room { throw .partTooLarge(limit: limits.partSize) }
    }

    private mutating func readHeader(
        _ events: inout [Event]
    ) throws(MultipartReadingError) -> Bool {
        // Here stands the end of the delimiter's line. Without header fields, the empty line follows at once.
        let start = position + 2
        let end = search.endOfHeader(in: buffer, from: position + headerScanned)
        guard let end else {
            guard buffer.count - 3 - start <= limits.headerSize else {
                throw .headerTooLarge(limit: limits.headerSize)
            }
            headerScanned = max(0, buffer.count - position - 3)
            return false
        }
        guard end - start <= limits.headerSize else {
            throw .headerTooLarge(limit: limits.headerSize)
        }
        guard partCount < limits.partCount else { throw .tooManyParts(limit: limits.partCount) }
        partCount += 1
        events.append(.part(try MultipartHeader(parsing: buffer[min(start, end)..<end])))
        position = end + 2
        lineEndLeft = 2
        partSize = 0
        state = .body
        return true
    }
}

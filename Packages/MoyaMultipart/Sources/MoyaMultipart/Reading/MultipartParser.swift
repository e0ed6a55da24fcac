import Foundation

/// Incremental parser of multipart bodies: `multipart/form-data`, `multipart/mixed`,
/// `multipart/byteranges` and every other subtype (RFC 2046, section 5.1).
///
/// ```swift
/// var parser = try MultipartParser(boundary: "b")
/// for chunk in chunks {
///     for event in try parser.parse(chunk) { handle(event) }
/// }
/// for event in try parser.finish() { handle(event) }
/// ```
///
/// The parser does no I/O. It buffers only bytes that may belong to a delimiter or to header
/// fields: at most ``MultipartLimits/headerSize`` plus one chunk. ``MultipartReader`` applies it to
/// an asynchronous sequence.
public struct MultipartParser: Sendable {
    /// Parsed element. Each part produces a ``part(_:)``, any number of ``data(_:)`` and an
    /// ``end``, in this order.
    public enum Event: Sendable, Hashable {
        /// Start of a part, with its header fields.
        case part(MultipartHeader)
        /// Next bytes of the part's content.
        case data(Data)
        /// End of the part.
        case end
    }

    private enum State {
        case preamble, header, body, epilogue
    }

    let limits: MultipartLimits
    private var search: DelimiterSearch
    private var state = State.preamble
    private var failure: MultipartReadingError?

    // Bytes not parsed yet. A delimiter starts with CRLF, but the first one may start the body, so
    // the buffer begins with a CRLF.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    private var position = 0
    /// Number of header bytes already searched for the empty line.
    private var headerScanned = 0
    /// Number of bytes left of the line end before a body. It stays in the buffer until then,
    /// because it may also belong to a delimiter.
    private var lineEndLeft = 0
    private var partCount = 0
    private var partSize: Int64 = 0

    /// Creates a parser for a body with the given boundary.
    ///
    /// - Throws: ``MultipartReadingError`` for a boundary that RFC 2046 does not allow.
    public init(
        boundary: String, limits: MultipartLimits = MultipartLimits()
    ) throws {
        guard Boundary.isValid(boundary) else { throw MultipartReadingError.badBoundary(boundary) }
        search = DelimiterSearch(boundary: boundary)
        self.limits = limits
    }

    /// Creates a parser with the boundary from a `Content-Type`.
    ///
    /// - Throws: ``MultipartReadingError`` for a type that is not multipart, or has no valid
    ///   boundary.
    public init(
        contentType: String?, limits: MultipartLimits = MultipartLimits()
    ) throws {
        let type = HeaderParameters(contentType ?? "", quoting: .standard)
        guard type.value.hasPrefix("multipart/"), let boundary = type["boundary"],
            Boundary.isValid(boundary)
        else { throw MultipartReadingError.noBoundary(contentType: contentType) }
        try self.init(boundary: boundary, limits: limits)
    }

    /// Parses the next chunk of the body and returns its events. Chunks may have any size.
    ///
    /// - Throws: ``MultipartReadingError``. Events before the error are returned first, and the
    ///   next call throws.
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

    /// Whether the closing delimiter has been parsed. All further bytes are ignored.
    var isClosed: Bool { state == .epilogue }

    /// Number of bytes buffered until more arrive.
    var bufferedCount: Int { buffer.count }

    /// Ends the body. Returns the ``Event/end`` of a part whose closing delimiter is not followed
    /// by a line end.
    ///
    /// - Throws: ``MultipartReadingError/truncated`` for a body without a closing delimiter.
    public mutating func finish() throws -> [Event] {
        if let failure { throw failure }
        guard state != .epilogue else { return [] }
        guard state != .header, search.next(in: buffer, from: 0).kind == .closeAtEnd else {
            throw MultipartReadingError.truncated
        }
        defer { state = .epilogue }
        return state == .body ? [.end] : []
    }

    /// Parses one element. Returns `false` if that needs more bytes.
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
        // `position` is at the CRLF that ends the delimiter's line. In a part without header
        // fields, the empty line follows directly.
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

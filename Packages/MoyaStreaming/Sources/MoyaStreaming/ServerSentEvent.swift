import Foundation

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// Event type: `message` if the server sends none.
    public var type: String
    /// Data of the event, its lines joined with LF.
    public var data: String
    /// ID of this event, or of the last earlier event with an ID. Empty if the server sent no ID.
    public var lastEventID: String

    /// Creates an event, for tests of code that handles events.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Parses events from the bytes of a `text/event-stream`. No I/O.
struct ServerSentEventParser: Sendable {
    /// `Last-Event-ID` of the next connection.
    private(set) var lastEventID = ""
    /// The server's reconnection time, in seconds, or `nil` if it sent none.
    private(set) var retryDelay: TimeInterval?

    private let limit: Int
    private var lines: LineSplitter
    private var isAtBeginning = true
    private var type = ""
    private var data: [UInt8] = []
    /// ID of the incomplete event.
    private var pendingID: String

    /// - Parameter limit: Maximum size of a line and of an event's data, in bytes.
    init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        pendingID = lastEventID
        lines = LineSplitter(limit: limit, ending: .anyNewline)
    }

    /// Discards the incomplete event at the end of a connection.
    mutating func startOver() {
        let delay = retryDelay
        self = ServerSentEventParser(limit: limit, lastEventID: lastEventID)
        retryDelay = delay
    }

    mutating func append(_ chunk: Data) { lines.append(chunk) }

    /// Returns the next complete event, or `nil` if more bytes are needed.
    mutating func next() throws(StreamingError) -> ServerSentEvent? {
        while var line = try lines.next() {
            if isAtBeginning {
                isAtBeginning = false
                // Skips a byte order mark.
                if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            }
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                try take(line)
            }
        }
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(StreamingError) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < limit else { throw .tooLong("An event", limit) }
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case "id":
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let number = Double(String(decoding: value, as: UTF8.self)) {
                retryDelay = number / 1000
            }
        // Comments have an empty field name. Unknown fields are ignored.
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = pendingID
        defer {
            data.removeAll(keepingCapacity: true)
            type = ""
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self), lastEventID: lastEventID)
    }
}

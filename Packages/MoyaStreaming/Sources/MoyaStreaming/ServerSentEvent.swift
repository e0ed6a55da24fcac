import Foundation

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is: `message` unless the server says otherwise.
    public var type: String
    /// What it says. Lines are joined by LF.
    public var data: String
    /// The last id the server has sent, with this event or before it. Empty if there was none.
    public var lastEventID: String

    /// For tests of code that takes events.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Makes events of the bytes of a `text/event-stream`, without any I/O.
struct ServerSentEventParser: Sendable {
    /// What the next connection begins with (the Last-Event-ID field).
    private(set) var lastEventID = ""
    /// Seconds before the next connection, where the server has said so.
    private(set) var retryDelay: TimeInterval?

    private let limit: Int
    private var lines: LineSplitter
    private var isAtBeginning = true
    private var type = ""
    private var data: [UInt8] = []
    /// The id of the event that is not whole yet.
    private var pendingID: String

    /// - Parameter limit: The most bytes of a line, and of an event's data.
    init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        pendingID = lastEventID
        lines = LineSplitter(limit: limit, ending: .anyNewline)
    }

    /// Forgets the event that is not whole, at the end of a connection.
    mutating func startOver() {
        let delay = retryDelay
        self = ServerSentEventParser(limit: limit, lastEventID: lastEventID)
        retryDelay = delay
    }

    mutating func append(_ chunk: Data) { lines.append(chunk) }

    /// The next whole event. `nil` until more has come.
    mutating func next() throws(StreamingError) -> ServerSentEvent? {
        while var line = try lines.next() {
            if isAtBeginning {
                isAtBeginning = false
                // A byte order mark.
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
            guard data.count + value.count < limit else { throw .eventTooLong(limit) }
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case "id":
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let number = Double(String(decoding: value, as: UTF8.self)) {
                retryDelay = number / 1000
            }
        // The name of a comment is empty. Others are passed over.
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

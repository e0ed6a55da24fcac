import MoyaCore

/// Reads a response in the format of HTTP/1.1 (RFC 9112, sections 4 to 7).
struct ResponseReader: Sendable {
    private enum Body {
        case length(Int64)
        case chunked
        case chunk(Int64)
        case untilClose
        case over
    }

    let connection: Connection
    private(set) var counts: Counts
    /// The trailer fields, once the body has ended.
    private(set) var trailers: [HeaderField] = []
    /// The body's length by `Content-Length`, in bytes. `nil` without that field.
    private var length: Int64?
    private var body = Body.over
    /// Received bytes that no method has returned yet.
    private var rest = Data()

    /// Maximum size of a header or trailer section, and of one line: 256 KiB.
    private static let limit = 256 << 10

    init(_ connection: Connection, _ counts: Counts) {
        self.connection = connection
        self.counts = counts
    }

    /// Reads the status line and header fields of the response. Skips informational responses.
    ///
    /// - Parameter method: The request's method: a response to HEAD has no body.
    mutating func readHead(of url: URL, for method: String?) async throws -> ResponseHead {
        while true {
            let words = try await readLine().split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].count == 3,
                let status = Self.number(words[1], radix: 10).map(Int.init)
            else {
                throw URLError(.badServerResponse, "The response is not HTTP/1.1.", url: url)
            }
            let head = ResponseHead(
                statusCode: status, url: url, httpVersion: String(words[0]),
                rawFields: try await readFields())
            if status < 200 { continue }
            if method != "HEAD", ![204, 304].contains(status) { try setBody(head) }
            return head
        }
    }

    /// Determines the body's framing (RFC 9112, section 6.3).
    ///
    /// - Throws: `URLError(.badServerResponse)` for contradicting or unknown framing.
    private mutating func setBody(_ head: ResponseHead) throws {
        let codings = head.values(for: "Transfer-Encoding").map { $0.lowercased() }
        let lengths = Set(head.values(for: "Content-Length"))
        if codings == ["chunked"] {
            body = .chunked
        } else if codings.isEmpty, lengths.isEmpty {
            body = .untilClose
        } else if codings.isEmpty, lengths.count == 1,
            let length = lengths.first.flatMap({ Self.number($0, radix: 10) })
        {
            body = .length(length)
            self.length = length
        } else {
            throw URLError(.badServerResponse, "The body's length is not clear.", url: head.url)
        }
    }

    /// Returns the next bytes of the body, or `nil` at its end.
    ///
    /// - Throws: `URLError(.networkConnectionLost)` if the connection ends before the body.
    mutating func readPiece() async throws -> Data? {
        switch body {
        case .over, .length(0): return nil
        case .untilClose:
            let piece = try await take(.max)
            return piece.isEmpty ? nil : piece
        case .length(let left):
            let piece = try await take(left)
            guard !piece.isEmpty else { throw Self.lost }
            body = .length(left - Int64(piece.count))
            return piece
        case .chunk(let left):
            let piece = try await take(left)
            guard !piece.isEmpty else { throw Self.lost }
            body = .chunk(left - Int64(piece.count))
            guard case .chunk(0) = body else { return piece }
            guard try await readLine().isEmpty else { throw URLError(.badServerResponse) }
            body = .chunked
            return piece
        case .chunked:
            let size = try await readLine().prefix { $0 != ";" }.trimmingCharacters(
                in: .whitespaces)
            guard let count = Self.number(size, radix: 16) else {
                throw URLError(.badServerResponse, "A chunk of the response has no size.", url: nil)
            }
            body = count == 0 ? .over : .chunk(count)
            if count > 0 { return try await readPiece() }
            let fields = try await readFields()
            trailers =
                ResponseHead(
                    statusCode: 200, url: URL(fileURLWithPath: "/"), httpVersion: "",
                    rawFields: fields
                ).fields
            return nil
        }
    }

    /// Parses a number without a sign, which `Int64` would accept.
    private static func number(_ digits: some StringProtocol, radix: Int) -> Int64? {
        digits.first?.isHexDigit == true ? Int64(digits, radix: radix) : nil
    }

    // MARK: Bytes

    private static var lost: URLError {
        URLError(.networkConnectionLost, "The response ended early.", url: nil)
    }

    /// Returns 1 to `count` bytes. Empty at the end of the connection.
    private mutating func take(_ count: Int64) async throws -> Data {
        if rest.isEmpty { rest = try await connection.read() }
        let piece = Data(rest.prefix(Int(min(count, Int64(rest.count)))))
        rest = Data(rest.dropFirst(piece.count))
        if !piece.isEmpty { counts.received(piece.count, of: length) }
        return piece
    }

    /// Reads the field lines up to an empty line.
    private mutating func readFields() async throws -> Data {
        var fields = ""
        while fields.utf8.count <= Self.limit {
            let line = try await readLine()
            if line.isEmpty { return Data(fields.utf8) }
            fields += line + "\r\n"
        }
        throw URLError(.badServerResponse, "The head of the response is too long.", url: nil)
    }

    private mutating func readLine() async throws -> String {
        while rest.count <= Self.limit {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                rest = Data(rest[(end + 1)...])
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            let bytes = try await connection.read()
            guard !bytes.isEmpty else { throw Self.lost }
            rest += bytes
        }
        throw URLError(.badServerResponse, "A line of the response is too long.", url: nil)
    }
}

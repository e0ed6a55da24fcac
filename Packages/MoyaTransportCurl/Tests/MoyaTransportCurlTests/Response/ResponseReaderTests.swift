import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The reader of responses without libcurl: what a server sends, and what comes out. Each row is an
/// attack, or a defect of libcurl or of a server that is known.
@Suite struct ResponseReaderTests {
    /// What libcurl passes to the reader.
    enum Input: Sendable {
        /// Lines of heads or of trailer fields, with a `|` at the end of each but the last.
        case lines(String)
        /// libcurl begins to write the request.
        case begin
        /// libcurl opens another connection.
        case connection
        /// The first byte of the body.
        case body
        /// A piece of the body with its chunk framing.
        case framed(String)
        /// libcurl's status code differs from the status line.
        case status(Int)
        /// libcurl accepts the response. Whether it has the announced length, if any, and whether
        /// close_notify has come, if that matters.
        case end(length: Bool? = nil, closeNotify: Bool? = nil, mayLackFrames: Bool = false)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var request = ResponseReader.Request()
        let inputs: [Input]
        /// The events other than `none`, in their order.
        let events: [String]
        var testDescription: String { name }

        init(
            _ name: String, for request: ResponseReader.Request = .init(), _ inputs: [Input],
            _ events: [String]
        ) {
            (self.name, self.request, self.inputs, self.events) = (name, request, inputs, events)
        }
    }

    private static let head = ResponseReader.Request(isHead: true)
    private static let negotiating = ResponseReader.Request(negotiates: true)
    private static let expecting = ResponseReader.Request(expectsContinue: true)
    private static let upgrading = ResponseReader.Request(asksForUpgrade: true)
    private static let whole = "whole"
    private static let noStatus = "invalid: The response's status line has no status code."
    private static let refusedStatus = "refused: The response's status line has no status code."
    private static let badLength =
        "refused: The response's Content-Length is no length, or not the only one."

    static let rows: [Row] = [
        Row("a head, a body", [.lines("HTTP/1.1 200 OK|A: b|"), .body, .end()], ["last", whole]),
        Row("no body", [.lines("HTTP/1.1 204 No Content|"), .end()], ["last", whole]),
        // RFC 9110, section 15.2.
        Row(
            "informational responses come first",
            [
                .lines("HTTP/1.1 103 Early Hints|Link: x||HTTP/1.1 100 Continue||HTTP/1.1 200 OK|"),
                .end(),
            ], ["informational", "informational", "last", whole]),
        Row(
            "a switch that was not asked for", [.lines("HTTP/1.1 101 Switch|")],
            [
                "refused: The server switches to another protocol, which the request has not asked for."
            ]),
        Row(
            "a switch that was asked for", for: upgrading, [.lines("HTTP/1.1 101 Switch|")],
            ["informational"]),
        // RFC 9110, section 15.5.18.
        Row(
            "417 to Expect", for: expecting,
            [.lines("HTTP/1.1 417 No|Content-Length: 9|"), .end(length: false)],
            ["refusedExpectation", whole]),
        Row("417 without Expect", [.lines("HTTP/1.1 417 No|"), .end()], ["last", whole]),
        Row(
            "401 without Negotiate is the last response", [.lines("HTTP/1.1 401 Who|"), .end()],
            ["last", whole]),
        Row(
            "an answered challenge", for: negotiating,
            [.lines("HTTP/1.1 401 Who||HTTP/1.1 200 OK|"), .end()], ["challenge", "last", whole]),
        Row(
            "a proxy's answered challenge", [.lines("HTTP/1.1 407 Who||HTTP/1.1 200 OK|"), .end()],
            ["challenge", "last", whole]),
        // Status lines that libcurl reads otherwise, or takes from fields.
        Row("no status code", [.lines("HTTP/1.1 OK|")], [refusedStatus]),
        Row("a status code of four digits", [.lines("HTTP/1.1 2000 OK|")], [refusedStatus]),
        Row(
            "libcurl reads another status", [.status(200), .lines("HTTP/1.1 404 Not Found|")],
            [refusedStatus]),
        Row(
            "a field that looks like a status line",
            [.lines("HTTP/1.1 200 OK|HTTP/1.1 404 Not Found: x|"), .end()], ["last", whole]),
        Row(
            "a trailer field that looks like a status line",
            [
                .status(200), .lines("HTTP/1.1 200 OK|"), .body, .lines("HTTP/1.1 404 Not Found|"),
                .end(),
            ], ["last", whole]),
        Row(
            "a second head without a challenge is trailer fields",
            [.status(200), .lines("HTTP/1.1 200 OK||HTTP/1.1 500 No|"), .end()], ["last", whole]),
        Row(
            "a second head after a challenge that libcurl does not answer is trailer fields",
            [.status(401), .lines("HTTP/1.1 401 Who||HTTP/1.1 200 OK|"), .end()], ["last", whole]),
        Row(
            "a second head that libcurl does not understand",
            [.lines("HTTP/1.1 407 Who||http/1.1 404 No|"), .status(200), .end()],
            ["challenge", refusedStatus, noStatus]),
        Row(
            "the body of such a head",
            [.lines("HTTP/1.1 407 Who||http/1.1 404 No|"), .status(200), .body],
            ["challenge", refusedStatus, noStatus]),
        Row("a body without a head", [.body], [noStatus]),
        Row(
            "a line that begins with a carriage return", [.lines("HTTP/1.1 200 OK|\rA: b")],
            ["refused: A line of the response's head begins with a carriage return."]),
        Row(
            "a head that is cut off", [.lines("HTTP/1.1 200 OK|A: b"), .end()],
            ["cutOff: The connection ended within the response's header fields."]),
        Row(
            "a challenge without its answer is whole", [.lines("HTTP/1.1 407 Who|"), .end()],
            ["challenge", whole]),
        Row(
            "a false status line, whose fields end with one that looks like a status line",
            [
                .lines("HTTP/1.1 407 Who|"), .status(200),
                .lines("http/1.1 404 No|Content-Length: 5|HTTP/1.1 200 OK: x|Content-Length: 2|"),
            ], ["challenge", refusedStatus]),
        Row(
            "a version without a number", [.status(200), .lines("HTTP/x 200 OK|")], [refusedStatus]),
        Row(
            "a status code in another line", [.status(200), .lines("HTTP/1.1|A: 200 b|")],
            [refusedStatus]),
        Row(
            "an informational response alone", [.lines("HTTP/1.1 103 Early Hints|"), .end()],
            [
                "informational",
                "cutOff: The connection ended within the response's header fields.",
            ]),
        // Framing (RFC 9112, section 6).
        // White space of a field is spaces and tabs (RFC 9110, section 5.5).
        Row(
            "a length and a control character", [.lines("HTTP/1.1 200 OK|Content-Length: 5\u{B}|")],
            [badLength]),
        Row(
            "a carriage return in a field's name is no hyphen",
            [
                .lines("HTTP/1.1 200 OK|Content\rLength: 5|"), .body, .end(closeNotify: false),
            ],
            [
                "last",
                "cutOff: The connection ended without TLS's close_notify, so that the response's body may be cut off.",
            ]),
        Row(
            "two lengths", [.lines("HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 5|")],
            [badLength]),
        Row(
            "two equal lengths",
            [
                .lines("HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 2, 2|"),
                .end(length: true),
            ], ["last", whole]),
        Row(
            "two lengths without a body", for: head,
            [.lines("HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 5|"), .end(length: false)],
            ["last", whole]),
        Row("a length of letters", [.lines("HTTP/1.1 200 OK|Content-Length: 2x|")], [badLength]),
        Row(
            "another coding", [.lines("HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked|")],
            ["refused: The response has a Transfer-Encoding that the request does not accept."]),
        Row(
            "chunked twice", [.lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked, chunked|")],
            ["refused: The response's Transfer-Encoding has chunked more than once."]),
        Row(
            "white space before the colon",
            [.lines("HTTP/1.1 200 OK|Transfer-Encoding : chunked|")],
            [
                "refused: The response has white space before the colon of its Content-Length or Transfer-Encoding."
            ]),
        Row(
            "a folded length", [.lines("HTTP/1.1 200 OK|Content-Length: 2| 5|")],
            [
                "refused: The response's Content-Length or Transfer-Encoding goes on in the next line."
            ]),
        Row(
            "framing of a failed connection",
            [
                .lines("HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 5"), .connection,
                .lines("HTTP/1.1 200 OK|"), .end(),
            ], ["last", whole]),
        // Ends (RFC 9112, section 8).
        Row(
            "a body that is too short",
            [.lines("HTTP/1.1 200 OK|Content-Length: 5|"), .body, .end(length: false)],
            ["last", "cutOff: The response's body ended before the length that was announced."]),
        Row(
            "a length of a response without a body",
            [.lines("HTTP/1.1 304 Same|Content-Length: 5|"), .end(length: false)], ["last", whole]),
        Row(
            "TLS that ends without close_notify",
            [.lines("HTTP/1.1 200 OK|"), .body, .end(closeNotify: false)],
            [
                "last",
                "cutOff: The connection ended without TLS's close_notify, so that the response's body may be cut off.",
            ]),
        Row(
            "TLS that ends with close_notify",
            [.lines("HTTP/1.1 200 OK|"), .body, .end(closeNotify: true)], ["last", whole]),
        Row(
            "an encoded body whose frames are invalid",
            [.lines("HTTP/2 200|Content-Encoding: gzip|"), .end(mayLackFrames: true)],
            ["last", "cutOff: The response's body ended before the first byte of its encoding."]),
        Row(
            "a body without a coding whose frames may be invalid",
            [.lines("HTTP/2 200|"), .end(mayLackFrames: true)], ["last", whole]),
        Row(
            "the last chunk without its line feed",
            [
                .lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked|"),
                .framed("2\r\nhi\r\n0\r\n\r"), .body, .end(),
            ],
            ["last", "cutOff: The connection ended within the last line of the response's body."]),
        Row(
            "bytes after the last chunk",
            [
                .lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked|"),
                .framed("2\r\nhi\r\n0\r\n\r\nx"), .body, .end(),
            ], ["last", "surplus", whole]),
        Row(
            "a carriage return after the body",
            [
                .lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked|"),
                .framed("0\r\n\r\n\r"), .body, .end(),
            ], ["last", "surplus", whole]),
        Row(
            "trailer fields are no surplus",
            [
                .lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked|"),
                .framed("2;a=b\r\nhi\r\n0\r\nA: b\r\n\r\n"), .body, .end(),
            ], ["last", whole]),
    ]

    @Test(arguments: rows)
    func `a response has the events of its row`(row: Row) {
        #expect(events(of: row) == row.events)
    }

    private func events(of row: Row) -> [String] {
        var reader = ResponseReader(storage: RawBytes())
        defer { Self.free(&reader) }
        reader.request = row.request
        var (status, given, events) = (0, Int?.none, [String]())
        for input in row.inputs {
            switch input {
            case .lines(let text):
                for line in text.split(separator: "|", omittingEmptySubsequences: false) {
                    // libcurl takes the number after the version.
                    if line.hasPrefix("HTTP/"), !line.contains(": ") {
                        status = Int(line.split(separator: " ").dropFirst().first ?? "") ?? 200
                    }
                    let event = Self.take(line + "\r\n", &reader, status: given ?? status)
                    if let event { events.append(event) }
                }
            case .begin: reader.noteBegin()
            case .connection: reader.noteConnection()
            case .body:
                events +=
                    reader.beginBody(status: given ?? status).map { [Self.text(of: $0)] } ?? []
            case .framed(let text):
                if withBytes(of: text, { reader.takeFramed($0) }) { events.append("surplus") }
            case .status(let code): given = code
            case .end(let length, let closeNotify, let mayLackFrames):
                let end = ResponseReader.End(
                    status: given ?? status, hasWholeLength: length, mayLackFrames: mayLackFrames,
                    hasCloseNotify: closeNotify)
                events.append(reader.fault(at: end).map(Self.text) ?? Self.whole)
            }
        }
        return events
    }

    /// Frees the memory of the reader's lines.
    private static func free(_ reader: inout ResponseReader) {
        var storage = reader.takeStorage()
        storage.deallocate()
    }

    /// Takes a line. Returns its event, if it has one.
    private static func take(
        _ line: String, _ reader: inout ResponseReader, status: Int = 407
    ) -> String? {
        withBytes(of: line) { bytes in
            switch reader.take(bytes) {
            case .none: nil
            case .refused(let reason): "refused: \(reason)"
            case .outOfMemory: "outOfMemory"
            case .end:
                switch reader.finishHead(bytes, status: status) {
                case .refused(let reason): "refused: \(reason)"
                case let head: "\(head)"
                }
            }
        }
    }

    private static func text(of fault: ResponseReader.Fault) -> String {
        switch fault {
        case .invalid(let reason): "invalid: \(reason)"
        case .cutOff(let reason): "cutOff: \(reason)"
        }
    }

    // MARK: Limits

    @Test
    func
        `more than 256 KiB of header fields, including informational responses, are refused`()
    {
        var reader = ResponseReader(storage: RawBytes())
        defer { Self.free(&reader) }
        let text = "refused: The response has more than 262144 bytes of header fields."
        #expect(
            Self.take("HTTP/1.1 103 Hints\r\n", &reader)
                == nil)
        let first = "A: \(String(repeating: "b", count: 192 << 10))\r\n"
        #expect(Self.take(first, &reader) == nil)
        #expect(
            Self.take("\r\n", &reader, status: 103) == "informational"
        )
        let used = 20 + first.utf8.count + 2
        let rest = String(repeating: "c", count: (256 << 10) - used)
        #expect(Self.take(rest, &reader) == nil)
        #expect(Self.take("d", &reader) == text)
    }

    @Test
    func
        `each answered challenge may have 256 KiB of fields, and the eleventh challenge is refused`()
    {
        var reader = ResponseReader(storage: RawBytes())
        defer { Self.free(&reader) }
        let line = "A: \(String(repeating: "b", count: 200 << 10))\r\n"
        for _ in 0..<ResponseReader.challengeLimit {
            #expect(Self.take("HTTP/1.1 407 Who\r\n", &reader) == nil)
            #expect(Self.take(line, &reader) == nil)
            #expect(Self.take("\r\n", &reader) == "challenge")
        }
        #expect(Self.take("HTTP/1.1 407 Who\r\n", &reader) == nil)
        #expect(Self.take("\r\n", &reader)?.contains("11 times") == true)
    }

    @Test func `trailer fields are apart from the head, also several in one piece`() {
        var reader = ResponseReader(storage: RawBytes())
        defer { Self.free(&reader) }
        for line in ["HTTP/1.1 407 Who\r\n", "A: b\r\n", "\r\n"] { _ = Self.take(line, &reader) }
        #expect(reader.beginBody(status: 407) == nil)
        #expect(Self.take("C: d\r\nE:f \r\n", &reader) == nil)
        #expect(reader.trailers.map { "\($0.name)=\($0.value)" } == ["C=d", "E=f"])
        #expect(String(decoding: reader.head, as: UTF8.self) == "HTTP/1.1 407 Who\r\nA: b\r\n\r\n")
    }

    @Test func `a response answers the request that libcurl began last`() {
        var reader = ResponseReader(storage: RawBytes())
        defer { Self.free(&reader) }
        _ = Self.take("HTTP/1.1 407 Who\r\n", &reader)
        #expect(reader.hasAnswer && reader.hasAnswerSinceBegin)
        #expect(reader.lineBytes == 18)
        reader.noteBegin()
        #expect(reader.hasAnswer && !reader.hasAnswerSinceBegin)
        #expect(reader.lineBytes == 0)
    }
}

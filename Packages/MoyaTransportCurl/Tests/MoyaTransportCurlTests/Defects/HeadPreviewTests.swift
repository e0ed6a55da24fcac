import Testing

@testable import MoyaTransportCurl

/// The lines that libcurl must not store, without libcurl.
@Suite struct HeadPreviewTests {
    /// A piece of a head: a line that the write callback gets, and then the header callback, or a
    /// part of one. The first line of a head is its status line.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The pieces in their order. A piece without a line feed does not end its line.
        let pieces: [String]
        /// The first piece that is refused. `nil` if none is.
        let refused: String?

        init(_ name: String, _ pieces: [String], refuses refused: String? = nil) {
            (testDescription, self.pieces, self.refused) = (name, pieces, refused)
        }
    }

    static let rows: [Row] = [
        Row("a head", ["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n"]),
        // RFC 9112, section 5.2.
        Row("a folded field", ["HTTP/1.1 200 OK\r\n", "A: b\r\n", " c\r\n", "\r\n"]),
        Row("a folded first field", ["HTTP/1.1 200 OK\r\n", " A: b\r\n"], refuses: " A: b\r\n"),
        Row("a first field after a tab", ["HTTP/1.1 200 OK\r\n", "\tA\r\n"], refuses: "\tA\r\n"),
        Row(
            "a folded first field in pieces", ["HTTP/1.1 200 OK\r\n", " A: ", "b\r\n"],
            refuses: " A: "),
        Row(
            "a status line in pieces is no field",
            ["HTTP/1.1 200 A", " A", " A\r\n", " A: b\r\n"], refuses: " A: b\r\n"),
        Row(
            "a first field whose second piece begins with a space",
            ["HTTP/1.1 200 OK\r\n", "A: b", " c\r\n", "\r\n"]),
        Row(
            "an informational response without a field",
            ["HTTP/1.1 103 Early Hints\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", " A: b\r\n"],
            refuses: " A: b\r\n"),
        // libcurl appends to the field of the informational response, which is this transfer's.
        Row(
            "an informational response with a field",
            ["HTTP/1.1 103 Early Hints\r\n", "A: b\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", " c\r\n"]),
    ]

    /// Hands the pieces to the preview as libcurl does. Returns the first that is refused.
    private func firstRefusal(of pieces: [String]) -> String? {
        var (preview, line, isInformational) = (HeadPreview(), "", false)
        preview.begin()
        for piece in pieces {
            guard withBytes(of: piece, { preview.take($0) }) else { return piece }
            line += piece
            guard line.utf8.last == 0x0A else { continue }
            if line.hasPrefix("HTTP/") { isInformational = line.hasPrefix("HTTP/1.1 1") }
            withBytes(of: line) { preview.noteStored($0) }
            if line == "\r\n" { preview.endHead(isInformational: isInformational) }
            line = ""
        }
        return nil
    }

    @Test(arguments: rows)
    func `a line that continues a field of an earlier transfer is refused`(row: Row) {
        #expect(firstRefusal(of: row.pieces) == row.refused)
    }

    @Test func `the body is not previewed`() {
        var preview = HeadPreview()
        #expect(!preview.isOn)
        preview.begin()
        #expect(preview.isOn)
        preview.endHead(isInformational: false)
        #expect(!preview.isOn)
    }
}

#if CURL
// Versions: 7.72.0 to 8.16.0.
// Test: HandleReuseTests, HeadPreviewTests.
// Without them: this file, and the uses of `keepsState`, `needsPreview` and `HeadPreview`.

/// State of the previous transfer that an easy handle keeps:
///
/// - 7.84.0 to 8.0.1 keep a pointer to its last header field. If the first field line of the next
///   response begins with white space, they append to that freed field: any server can corrupt the
///   heap. ``HeadPreview`` refuses such a line.
/// - 7.72.0 to 8.16.0 keep the number of retries on connections that the server has closed. After
///   five in total, a request fails that would have succeeded on a new connection. A handle whose
///   transfer has failed is not used again. A handle that has repeated a request is not used again
///   with any version (`Attempt.beginRequest(on:)`).
enum HandleReuse {
    static let keepsState = CurlLibrary.version < 0x081100
    static let needsPreview = (0x075400..<0x080100).contains(CurlLibrary.version)
}

/// The lines of a head that the write callback gets (`CURLOPT_HEADER`), each before libcurl stores
/// it, and before the header callback gets it. A long line comes in several pieces.
struct HeadPreview {
    /// The line that the header callback gets next.
    private enum Next { case none, statusLine, field }

    private var next = Next.none
    /// Whether the next piece begins a line.
    private var beginsLine = true
    /// Whether libcurl has stored a field of this transfer, to which it may append.
    private var hasField = false

    /// Whether the write callback gets lines. Otherwise it gets the body.
    var isOn: Bool { next != .none }

    /// libcurl begins to write the request.
    mutating func begin() { (next, beginsLine) = (.statusLine, true) }

    /// Takes a line, or a piece of one. Returns whether libcurl may store it.
    mutating func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        let beginsField = beginsLine && next == .field
        beginsLine = piece.last == 0x0A
        return !beginsField || hasField || piece.first != 0x20 && piece.first != 0x09
    }

    /// libcurl has passed on a whole line. It stores fields, but no status line.
    mutating func noteStored(_ line: UnsafeRawBufferPointer) {
        switch next {
        case .none: break
        case .statusLine: next = .field
        case .field: if line.first != 0x0D, line.first != 0x0A { hasField = true }
        }
    }

    /// A head is whole. After an informational one, another follows.
    mutating func endHead(isInformational: Bool) {
        if isOn { next = isInformational ? .statusLine : .none }
    }
}
#endif

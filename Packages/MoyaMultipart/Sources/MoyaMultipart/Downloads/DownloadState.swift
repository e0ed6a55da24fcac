import MoyaCore

/// State of a download in progress. Does no I/O.
struct DownloadState: Sendable {
    private(set) var segments = [Segment(start: 0)]
    private(set) var total: Int64?
    /// Head of the last response that delivered bytes of the file.
    private(set) var head: ResponseHead?
    /// Digest of the whole file, according to the server.
    private(set) var digest: Checksum?
    /// Bytes received in this attempt.
    private(set) var received: Int64 = 0
    private var validator: Validator?
    /// Whether the server has sent a coded body to a request without codings. Later requests leave
    /// the codings to the transport, which decodes them.
    private var leavesCodings = false
    private var unsaved: Int64 = 0

    /// Bytes present, over all segments.
    var completed: Int64 { segments.reduce(0) { $0 + $1.done } }
    var isSplit: Bool { segments.count > 1 }
    /// Whether a later attempt can continue from the bytes present.
    var isResumable: Bool { validator != nil && completed > 0 }

    // MARK: Saved state

    /// Continues from a saved state.
    mutating func resume(_ saved: PartialState, _ segments: [Segment]) {
        (self.segments, total, validator) = (segments, saved.total, saved.validator)
        // All bytes are present, but the file may have changed on the server. Requesting the last
        // byte again lets If-Range find out.
        let last = segments.count - 1
        if segments.allSatisfy(\.isComplete), segments[last].done > 0 {
            self.segments[last].done -= 1
        }
    }

    /// Discards the state, except for the count of received bytes and the server's habits.
    mutating func startOver() {
        let old = self
        self = DownloadState()
        (received, leavesCodings) = (old.received, old.leavesCodings)
    }

    /// Returns the state to save. `nil` if a later attempt would have to start over.
    func saved(_ source: String) -> PartialState? {
        validator.map {
            PartialState(
                source: source, validator: $0, total: total, segments: isSplit ? segments : nil,
                synced: isSplit ? nil : segments[0].offset)
        }
    }

    // MARK: Requests

    /// Returns the range to request for a segment, and the header fields of the request.
    func rangeRequest(_ index: Int) -> (RangeResponse.Request, headers: [String: String]) {
        let segment = segments[index]
        // Ranges count encoded bytes, which differ from the file's bytes if the body is compressed.
        var headers = leavesCodings ? [:] : ["Accept-Encoding": "identity"]
        guard let validator, isSplit || segment.offset > 0 else {
            return (RangeResponse.Request(), headers)
        }
        let last = isSplit ? segment.end.map { "\($0 - 1)" } : nil
        headers["Range"] = "bytes=\(segment.offset)-\(last ?? "")"
        headers["If-Range"] = validator.value
        return (.init(segment: segment, validator: validator, total: total), headers)
    }

    /// Leaves the codings of later requests to the transport. Returns `false` if an earlier call
    /// has done so.
    mutating func leaveCodings() -> Bool {
        defer { leavesCodings = true }
        return !leavesCodings
    }

    /// Why a response with the whole file starts the download again. `nil` if no bytes are present.
    func restart(with head: ResponseHead) -> TransferRestart? {
        guard completed > 0 else { return nil }
        if head.isCoded { return .compressed }
        return validator == nil ? .noValidator : .wholeForRange
    }

    /// Records the head of a response with the whole file.
    mutating func begin(_ head: ResponseHead) {
        startOver()
        take(head)
        // The server has compressed the body although the request excludes that. The body's length
        // is not the file's, so the download cannot be resumed.
        guard !head.isCoded else { return }
        // In a response with the whole file, Content-Digest is the digest of the file. It stays
        // valid if the body ends early or is split between connections.
        digest = digest ?? Checksum(field: head.value(for: "Content-Digest"))
        validator = Validator(head)
        know(
            total: head.value(for: "Content-Length").flatMap(Int64.init)
                ?? head.value(for: "Content-Range").flatMap(ContentRange.init)?.total)
    }

    /// Records the head of a response with a range of the file.
    mutating func go(on head: ResponseHead) {
        take(head)
        let range = head.value(for: "Content-Range").flatMap(ContentRange.init)
        if total == nil { know(total: range?.total) }
    }

    private mutating func take(_ head: ResponseHead) {
        self.head = head
        // Repr-Digest covers the encoded bytes, which differ from the file's bytes if the body is
        // compressed.
        if !head.isCoded { digest = Checksum(field: head.value(for: "Repr-Digest")) ?? digest }
    }

    private mutating func know(total: Int64?) {
        guard let total, total >= 0 else { return }
        self.total = total
        segments[segments.count - 1].end = total
    }

    /// Splits the missing bytes between connections, if the server supports range requests.
    mutating func split(into connections: Int, minimum: Int64) {
        guard !isSplit, validator != nil, let head,
            head.statusCode == 206 || head.value(for: "Accept-Ranges")?.lowercased() == "bytes"
        else { return }
        segments = segments[0].split(into: connections, minimum: minimum)
    }

    // MARK: Receiving

    /// Counts bytes that have been written. Returns whether the state is due to be saved.
    mutating func advance(_ index: Int, by count: Int, savingInterval: Int64) -> Bool {
        segments[index].done += Int64(count)
        received += Int64(count)
        unsaved += Int64(count)
        guard unsaved >= savingInterval else { return false }
        unsaved = 0
        return true
    }

    /// Records that the file ends with the bytes present.
    mutating func end(_ head: ResponseHead?) {
        if let head { self.head = head }
        know(total: segments[0].offset)
    }
}

import MoyaCore

/// What is known of a download while it is under way, without any I/O.
struct DownloadState: Sendable {
    private(set) var segments = [Segment(start: 0)]
    private(set) var total: Int64?
    /// The head of the last response that brought a part of the file.
    private(set) var head: ResponseHead?
    /// What the server says of the whole file.
    private(set) var digest: Checksum?
    /// Bytes that came since the beginning of this attempt.
    private(set) var received: Int64 = 0
    private var validator: Validator?
    private var unsaved: Int64 = 0

    /// Bytes that are there.
    var completed: Int64 { segments.reduce(0) { $0 + $1.done } }
    var isSplit: Bool { segments.count > 1 }
    /// Whether a later attempt could go on with what is there.
    var isResumable: Bool { validator != nil && completed > 0 }

    // MARK: What is there

    mutating func resume(_ saved: PartialState, _ segments: [Segment]) {
        (self.segments, total, validator) = (segments, saved.total, saved.validator)
        // All bytes are there, but the file may have changed on the server. To find out, the last one is asked for
        // once more.
        let last = segments.count - 1
        if segments.allSatisfy(\.isComplete), segments[last].done > 0 {
            self.segments[last].done -= 1
        }
    }

    mutating func startOver() {
        let count = received
        self = DownloadState()
        received = count
    }

    /// What a later attempt needs. `nil` where it could do nothing but start over.
    func saved(_ source: String) -> PartialState? {
        validator.map {
            PartialState(
                source: source, validator: $0, total: total, segments: isSplit ? segments : nil,
                synced: isSplit ? nil : segments[0].offset)
        }
    }

    // MARK: Requests

    /// The range to request for a segment, and the header fields of the request.
    func rangeRequest(_ index: Int) -> (RangeResponse.Request, headers: [String: String]) {
        let segment = segments[index]
        // Ranges count the bytes that are sent. Of a compressed body, those are not the file's.
        var headers = ["Accept-Encoding": "identity"]
        guard let validator, isSplit || segment.offset > 0 else {
            return (RangeResponse.Request(), headers)
        }
        let last = isSplit ? segment.end.map { "\($0 - 1)" } : nil
        headers["Range"] = "bytes=\(segment.offset)-\(last ?? "")"
        headers["If-Range"] = validator.value
        return (.init(segment: segment, validator: validator, total: total), headers)
    }

    /// Takes the head of a response with the whole file.
    mutating func begin(_ head: ResponseHead) {
        startOver()
        take(head)
        // Compressed, although the request did not accept that: its length is not the file's, and nothing of it can be resumed.
        guard !head.isCoded else { return }
        // What a whole body says of itself it says of the file, and it may end early or be shared between connections.
        digest = digest ?? Checksum(field: head.value(for: "Content-Digest"))
        validator = Validator(head)
        know(total: head.value(for: "Content-Length").flatMap(Int64.init))
    }

    /// Takes the head of a response with a part of it.
    mutating func go(on head: ResponseHead) {
        take(head)
        let range = head.value(for: "Content-Range").flatMap(ContentRange.init)
        if total == nil { know(total: range?.total) }
    }

    private mutating func take(_ head: ResponseHead) {
        self.head = head
        // It is the digest of the bytes that are sent. Of a compressed body, those are not the file's.
        if !head.isCoded { digest = Checksum(field: head.value(for: "Repr-Digest")) ?? digest }
    }

    private mutating func know(total: Int64?) {
        guard let total, total >= 0 else { return }
        self.total = total
        segments[segments.count - 1].end = total
    }

    /// Shares the rest between connections, where the server takes requests for parts.
    mutating func split(into connections: Int, minimum: Int64) {
        guard !isSplit, validator != nil, let head,
            head.statusCode == 206 || head.value(for: "Accept-Ranges")?.lowercased() == "bytes"
        else { return }
        segments = segments[0].split(into: connections, minimum: minimum)
    }

    // MARK: Receiving

    /// Counts bytes that have been written. Returns whether it is time to save the state.
    mutating func advance(_ index: Int, by count: Int, savingInterval: Int64) -> Bool {
        segments[index].done += Int64(count)
        received += Int64(count)
        unsaved += Int64(count)
        guard unsaved >= savingInterval else { return false }
        unsaved = 0
        return true
    }

    /// Takes note that the file ends with what is there.
    mutating func end(_ head: ResponseHead?) {
        if let head { self.head = head }
        know(total: segments[0].offset)
    }
}

extension ResponseHead {
    /// Whether the body is another one than the resource (RFC 9110, section 8.4).
    var isCoded: Bool {
        value(for: "Content-Encoding").map { $0.lowercased() != "identity" } ?? false
    }
}

@_spi(MoyaInternals) import MoyaCore

/// Meaning of a response to a range request. Does no I/O.
enum RangeResponse: Equatable {
    /// The whole file from its beginning.
    case whole
    /// The requested bytes, or the first of them.
    case part(upTo: Int64)
    /// The file ends with the bytes present.
    case complete
    /// The bytes present do not belong to the server's current version, or the response does not
    /// continue them.
    case changed(TransferRestart)
    /// Status 200, but a `Content-Range` that is not the whole file. Such a body is not saved as
    /// the file.
    case slice
    /// An error status, or a status that carries no file.
    case refused

    /// Range request, and the known properties of the file.
    struct Request {
        /// Requested segment. `nil` if the request had no Range.
        var segment: Segment?
        var validator: Validator?
        var total: Int64?
    }

    init(_ head: ResponseHead, to request: Request) {
        let range = head.value(for: "Content-Range").flatMap(ContentRange.init)
        switch (head.statusCode, request.segment) {
        case (200, _): self = head.isWhole(range) ? .whole : .slice
        case (206, let segment?): self = Self.part(head, range, segment, request)
        case (416, let segment?):
            // The file is unchanged: otherwise If-Range would have made the server send the whole
            // file.
            let isEnd = range?.range == nil && range?.total == segment.offset
            self =
                isEnd && request.agrees(with: head, total: range?.total)
                ? .complete : .changed(.unusableRange(head))
        default: self = .refused
        }
    }

    private static func part(
        _ head: ResponseHead, _ range: ContentRange?, _ segment: Segment, _ request: Request
    ) -> RangeResponse {
        // A range counts encoded bytes, so a decoded body does not match it.
        guard !head.isCoded, !head.hasSeveralRanges, let range, let bytes = range.range,
            bytes.lowerBound == segment.offset,
            bytes.upperBound <= segment.end ?? range.total ?? .max
        else { return .changed(.unusableRange(head)) }
        guard request.agrees(with: head, total: range.total) else {
            return .changed(.otherVersion)
        }
        return .part(upTo: bytes.upperBound)
    }
}

extension RangeResponse.Request {
    /// Whether the response has the expected validator and total length.
    fileprivate func agrees(with head: ResponseHead, total other: Int64?) -> Bool {
        guard let validator, validator.agrees(with: head) else { return false }
        guard let total, let other else { return true }
        return total == other
    }
}

extension ResponseHead {
    /// Whether a content coding has been applied to the body (RFC 9110, section 8.4).
    var isCoded: Bool { HeaderField.areCoded(fields) }

    /// Whether the body of a response with status 200 is the whole file. RFC 9110, section 14.4
    /// gives `Content-Range` no meaning there, but servers send it with a part of the file. Other
    /// range units count no bytes: `items 0-24/66` numbers the entries of a list.
    fileprivate func isWhole(_ range: ContentRange?) -> Bool {
        guard let field = value(for: "Content-Range"), field.lowercased().hasPrefix("bytes") else {
            return true
        }
        guard let total = range?.total, range?.range == 0..<total else { return false }
        // The length of a coded body is another one than the file's.
        guard !isCoded, let length = value(for: "Content-Length").flatMap(Int64.init) else {
            return true
        }
        return length == total
    }

    /// Whether the body is a multipart body with a range in each part (RFC 9110, section 14.6). No
    /// request has more than one range.
    fileprivate var hasSeveralRanges: Bool {
        value(for: "Content-Type")?.lowercased().hasPrefix("multipart/byteranges") ?? false
    }
}

import MoyaCore

/// Meaning of a response to a range request. Does no I/O.
enum RangeResponse: Equatable {
    /// The whole file from its beginning.
    case whole
    /// The requested bytes, or the first of them.
    case part(upTo: Int64)
    /// The file ends with the bytes present.
    case complete
    /// The bytes present do not belong to the server's current version.
    case changed
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
        case (200, _): self = .whole
        case (206, let segment?): self = Self.part(head, range, segment, request)
        case (416, let segment?):
            // The file is unchanged: otherwise If-Range would have made the server send the whole
            // file.
            let isEnd = range?.range == nil && range?.total == segment.offset
            self = isEnd && request.agrees(with: head, total: range?.total) ? .complete : .changed
        default: self = .refused
        }
    }

    private static func part(
        _ head: ResponseHead, _ range: ContentRange?, _ segment: Segment, _ request: Request
    ) -> RangeResponse {
        // A range counts encoded bytes, so a decoded body does not match it.
        guard !head.isCoded, let range, let bytes = range.range,
            bytes.lowerBound == segment.offset,
            bytes.upperBound <= segment.end ?? range.total ?? .max,
            request.agrees(with: head, total: range.total)
        else { return .changed }
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

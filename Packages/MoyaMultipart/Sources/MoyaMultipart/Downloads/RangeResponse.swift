import MoyaCore

/// What a response to a range request means, without any I/O.
enum RangeResponse: Equatable {
    /// The whole file from its beginning, whatever was asked for.
    case whole
    /// The bytes asked for, or the first of them.
    case part(upTo: Int64)
    /// There is nothing after what is there.
    case complete
    /// What is there is of no use for what the server has now.
    case changed
    /// An error of the server, or nothing a download could be.
    case refused

    /// The range request, and what is known of the file.
    struct Request {
        /// The part. `nil` where no Range was sent.
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
            // The server has compared If-Range and found the file unchanged: it would have sent all of it otherwise.
            let isEnd = range?.range == nil && range?.total == segment.offset
            self = isEnd && request.agrees(with: head, total: range?.total) ? .complete : .changed
        default: self = .refused
        }
    }

    private static func part(
        _ head: ResponseHead, _ range: ContentRange?, _ segment: Segment, _ request: Request
    ) -> RangeResponse {
        // What comes out of a coding is not what the range counts.
        guard !head.isCoded, let range, let bytes = range.range,
            bytes.lowerBound == segment.offset,
            bytes.upperBound <= segment.end ?? range.total ?? .max,
            request.agrees(with: head, total: range.total)
        else { return .changed }
        return .part(upTo: bytes.upperBound)
    }
}

extension RangeResponse.Request {
    fileprivate func agrees(with head: ResponseHead, total other: Int64?) -> Bool {
        guard let validator, validator.agrees(with: head) else { return false }
        guard let total, let other else { return true }
        return total == other
    }
}

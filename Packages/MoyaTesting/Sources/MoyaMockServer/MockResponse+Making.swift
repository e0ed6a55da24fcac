import Foundation
import MoyaCore

extension MockResponse {
    /// Content coding of a body (RFC 9110, section 8.4.1).
    public enum Coding: String, Sendable {
        /// gzip (RFC 1952).
        case gzip
        /// zlib (RFC 1950), which HTTP calls `deflate`.
        case deflate
    }

    /// Returns `data`, or the range that `request` asks for (RFC 9110, section 14): the first range
    /// of `Range`, unless `If-Range` differs from `etag`. A range outside of `data` gets status
    /// 416.
    public static func ranged(
        _ data: Data, for request: MockRequest, etag: String? = nil
    ) -> MockResponse {
        var response = MockResponse(body: .data(data)).adding("Accept-Ranges", "bytes")
        if let etag { response = response.adding("ETag", etag) }
        let condition = request.value(for: "If-Range")
        guard condition == nil || condition == etag,
            let range = request.value(for: "Range").flatMap({ byteRange($0, of: data.count) })
        else { return response }
        guard !range.isEmpty else {
            response.status = 416
            response.body = .data(Data())
            return response.adding("Content-Range", "bytes */\(data.count)")
        }
        response.status = 206
        response.body = .data(data.dropFirst(range.lowerBound).prefix(range.count))
        return response.adding(
            "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(data.count)")
    }

    /// Returns the requested range. `nil` for an invalid range, which is ignored; empty for a range
    /// outside of the data.
    private static func byteRange(_ text: String, of count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let first = text.dropFirst(6).prefix { $0 != "," }
        let ends = first.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let last?) where ends[0].isEmpty: return max(0, count - max(0, last))..<count
        case (let start?, nil) where ends[1].isEmpty && start >= 0:
            return start < count ? start..<count : 0..<0
        case (let start?, let last?) where start >= 0 && start <= last:
            // Compares before adding 1, which would overflow for `Int.max`.
            return start < count ? start..<(last < count ? last + 1 : count) : 0..<0
        default: return nil
        }
    }

    /// Returns this response with its body compressed. Only bodies of the kind `.data` are
    /// compressed.
    public func compressed(_ coding: Coding) -> MockResponse {
        guard case .data(let data) = body else { return self }
        var response = adding("Content-Encoding", coding.rawValue)
        response.body = .data(Zlib.compress(data, coding))
        return response
    }

    /// Returns this response, preceded by an informational response: 103 with a `Link`, for
    /// example.
    public func preceded(by status: Int, headers: [HeaderField] = []) -> MockResponse {
        with { $0.informational.append((status: status, headers: headers)) }
    }

    /// Returns this response with an additional trailer field.
    public func addingTrailer(_ name: String, _ value: String) -> MockResponse {
        with { $0.trailers.append(HeaderField(name: name, value: value)) }
    }

    /// Returns this response with its body limited to `bytesPerSecond`, at least 1.
    public func throttled(to bytesPerSecond: Int) -> MockResponse {
        with { $0.bytesPerSecond = bytesPerSecond }
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

/// Server of a file that supports range requests (RFC 9110), with configurable faults.
final class Origin: Sendable {
    struct Resource: Sendable {
        var data: Data
        var tag: String? = "\"one\""
        var lastModified: String?
        var takesRanges = true
        /// Number of body bytes after which each connection ends.
        var cut: Int?
        /// Number of body bytes after which each response stalls.
        var stall: Int?
        var isChunked = false
        /// Responses to the next requests, in place of regular ones.
        var refusals: [MockResponse] = []
        /// Changes a regular response.
        var change: @Sendable (MockResponse, MockRequest) -> MockResponse = { response, _ in
            response
        }
    }

    let resource: Locked<Resource>
    let server: MockServer

    init(_ resource: Resource) throws {
        let resource = Locked(resource)
        self.resource = resource
        server = try MockServer { request in
            let (now, refusal) = resource.withLock { resource in
                (resource, resource.refusals.popLast())
            }
            return refusal ?? now.change(now.answer(request), request)
        }
    }

    convenience init(_ data: Data) throws { try self.init(Resource(data: data)) }

    deinit { server.stop() }

    var target: Transfer {
        Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
    }

    /// Values of a field in all requests so far.
    func values(_ name: String) -> [String?] { server.requests.map { $0.value(for: name) } }
}

extension Origin.Resource {
    fileprivate func answer(_ request: MockRequest) -> MockResponse {
        var response = whole(request)
        if takesRanges { response = response.adding("Accept-Ranges", "bytes") }
        if let tag { response = response.adding("ETag", tag) }
        if let lastModified {
            response = response.adding("Last-Modified", lastModified)
                .adding("Date", "Sat, 21 Nov 2026 10:00:00 GMT")
        }
        if let cut { response = response.truncated(after: cut) }
        if let stall { response = response.truncated(after: stall, then: .stall) }
        return response
    }

    private func whole(_ request: MockRequest) -> MockResponse {
        let condition = request.value(for: "If-Range")
        let isSame = condition == nil || condition == tag || condition == lastModified
        guard takesRanges, isSame, let field = request.value(for: "Range"),
            let range = range(field)
        else {
            return MockResponse(body: isChunked ? .chunked(pieces(of: data)) : .data(data))
        }
        guard range.lowerBound < data.count else {
            return MockResponse(status: 416).adding("Content-Range", "bytes */\(data.count)")
        }
        let last = min(range.upperBound, data.count - 1)
        return MockResponse(status: 206, body: .data(data[range.lowerBound...last]))
            .adding("Content-Range", "bytes \(range.lowerBound)-\(last)/\(data.count)")
    }

    private func range(_ field: String) -> ClosedRange<Int>? {
        let ends = field.dropFirst("bytes=".count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return nil }
        return first...(Int(ends[1]) ?? .max)
    }

    private func pieces(of data: Data) -> [Data] {
        stride(from: 0, to: data.count, by: 10_000).map { data[$0..<min($0 + 10_000, data.count)] }
    }
}

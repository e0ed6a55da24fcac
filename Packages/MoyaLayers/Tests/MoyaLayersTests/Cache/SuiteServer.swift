import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The origin server of one case of ``CacheSuite``.
final class SuiteServer: Transport, @unchecked Sendable {
    // Safe: `requests` is an immutable constant of JSON values, and the other state is locked.

    struct Seen {
        let number: Int
        let request: URLRequest
    }

    private let requests: [[String: Any]]
    private let clock: TestClock
    private let received = Locked<[Seen]>([])

    init(requests: [[String: Any]], clock: TestClock) {
        self.requests = requests
        self.clock = clock
    }

    var seen: [Seen] { received.withLock { $0 } }

    /// Returns the request with this index.
    static func request(
        _ index: Int, _ config: [String: Any], previous: TransportResponse?, clock: TestClock
    ) -> TransportRequest {
        var address = "http://suite.test/test"
        if let name = config["filename"] as? String { address += "/\(name)" }
        if let query = config["query_arg"] as? String { address += "?\(query)" }
        var request = URLRequest(url: url(address))
        request.httpMethod = config["request_method"] as? String ?? "GET"
        let servedAt = previous?.head.value(for: "Server-Now").flatMap { Double($0) }
        for field in fields(
            config["request_headers"],
            now: servedAt.map { Date(timeIntervalSince1970: $0) }
                ?? clock.now)
        {
            request.addValue(field.value, forHTTPHeaderField: field.name)
        }
        request.setValue("\(index + 1)", forHTTPHeaderField: "X-Request-Id")
        switch config["cache"] as? String {
        case "no-store": request.cachePolicy = .reloadIgnoringLocalCacheData
        case "no-cache": request.cachePolicy = .reloadRevalidatingCacheData
        default: break
        }
        let body = (config["request_body"] as? String).map { RequestBody.data(Data($0.utf8)) }
        // The suite expects redirects not to be followed.
        return TransportRequest(request, body: body, redirectPolicy: .refuse)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = request.value(for: "X-Request-Id").flatMap { Int($0) } ?? 0
        let count = received.withLock { seen in
            seen.append(Seen(number: number, request: request.urlRequest))
            return seen.count
        }
        guard number >= 1, number <= requests.count else { throw URLError(.badServerResponse) }
        let config = requests[number - 1]
        if let pause = config["response_pause"] as? Double { clock.advance(by: pause) }
        if config["disconnect"] as? Bool == true { throw URLError(.networkConnectionLost) }
        let previous = number > 1 ? requests[number - 2] : [:]
        let status = status(of: request, config, previous: previous)
        var fields = [
            HeaderField(name: "Server-Request-Count", value: "\(count)"),
            HeaderField(name: "Client-Request-Count", value: "\(number)"),
            HeaderField(name: "Server-Now", value: "\(clock.now.timeIntervalSince1970)"),
        ]
        let base = request.urlRequest.url?.absoluteString ?? ""
        for var field in Self.fields(config["response_headers"], now: clock.now) {
            let isLocation = ["location", "content-location"].contains(field.name.lowercased())
            if isLocation, config["magic_locations"] as? Bool == true {
                field.value = field.value.isEmpty ? base : "\(base)/\(field.value)"
            }
            fields.append(field)
        }
        let text = config["response_body"] as? String ?? "body"
        let isEmpty = [204, 304].contains(status) || request.method == "HEAD"
        return TransportResponse(
            head: ResponseHead(
                statusCode: status, url: request.urlRequest.url ?? url("http://suite.test"),
                fields: fields),
            body: .data(isEmpty ? Data() : Data(text.utf8)))
    }

    /// Returns 304 if the case expects a validation and the request has the validator, 999 if the
    /// validator is missing.
    private func status(
        of request: TransportRequest, _ config: [String: Any], previous: [String: Any]
    ) -> Int {
        let plain = (config["response_status"] as? [Any])?.first as? Int ?? 200
        guard let type = config["expected_type"] as? String, type.hasSuffix("validated") else {
            return plain
        }
        for (condition, validator) in [
            ("If-Modified-Since", "last-modified"), ("If-None-Match", "etag"),
        ] {
            let last = (previous["response_headers"] as? [[Any]] ?? []).last {
                ($0.first as? String)?.lowercased() == validator
            }
            guard let last, last.count > 1 else { continue }
            let sent = request.value(for: condition)
            // The dates were computed from the time of the earlier response.
            if last[1] is Int ? sent != nil : sent == last[1] as? String { return 304 }
        }
        return 999
    }

    /// Returns header fields of the suite. A date may be given as seconds relative to `now`.
    private static func fields(_ value: Any?, now: Date) -> [HeaderField] {
        (value as? [[Any]] ?? []).compactMap { item in
            guard item.count > 1, let name = item[0] as? String else { return nil }
            let isDate = [
                "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
            ].contains(name.lowercased())
            if isDate, let seconds = item[1] as? Int {
                return HeaderField(
                    name: name, value: HTTPDate.format(now + TimeInterval(seconds)))
            }
            return HeaderField(name: name, value: "\(item[1])")
        }
    }
}

import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs the cases of the public suite http-tests/cache-tests against ``CachingTransport``, in this
/// process and with a virtual clock. The suite is a JSON export of its modules.
struct CacheSuite {
    /// Result of a case.
    enum Outcome: Equatable {
        case passed
        /// A preparing step failed, so the case has no result.
        case setup(String)
        case failed(String)
    }

    struct Case {
        let id: String
        let group: String
        let name: String
        /// `required`, `optimal` or `check`.
        let kind: String
        let requests: [[String: Any]]
        /// Cases that must pass for this case to be meaningful.
        let dependencies: [String]
    }

    /// The cases for a private cache, including cases that a browser cannot run.
    static func cases(at url: URL) throws -> [Case] {
        let groups = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        return (groups as? [[String: Any]] ?? []).flatMap { group in
            (group["tests"] as? [[String: Any]] ?? []).compactMap { test -> Case? in
                guard let id = test["id"] as? String, test["cdn_only"] as? Bool != true else {
                    return nil
                }
                let isForOthers =
                    (test["name"] as? String)?.lowercased().contains("shared") == true
                    // Transports deliver only the final response.
                    || id.hasPrefix("interim-")
                if test["browser_skip"] as? Bool == true, isForOthers { return nil }
                return Case(
                    id: id, group: group["id"] as? String ?? "",
                    name: test["name"] as? String ?? "",
                    kind: test["kind"] as? String ?? "required",
                    requests: test["requests"] as? [[String: Any]] ?? [],
                    dependencies: test["depends_on"] as? [String] ?? [])
            }
        }
    }

    static func run(_ test: Case) async -> Outcome {
        let clock = TestClock(movesByItself: true)
        let server = SuiteServer(requests: test.requests, clock: clock)
        let cache = server.caching(in: MemoryCacheStore(), clock: clock)
        var responses: [TransportResponse?] = []
        do {
            for (index, config) in test.requests.enumerated() {
                let request = SuiteServer.request(
                    index, config, previous: responses.last ?? nil, clock: clock)
                let response = try? await cache.send(request)
                responses.append(response)
                try check(response, config, number: index + 1)
                try await drain(cache)
                if config["pause_after"] as? Bool == true { clock.advance(by: 3) }
            }
            try checkServer(server.seen, test.requests)
            return .passed
        } catch let failure as Failure {
            return failure.isSetup ? .setup(failure.text) : .failed(failure.text)
        } catch {
            return .failed("\(error)")
        }
    }

    /// Waits for background validations.
    private static func drain(_ cache: CachingTransport) async throws {
        try await until { !cache.isValidatingInBackground }
    }

    private struct Failure: Error {
        let isSetup: Bool
        let text: String
    }

    private static func expect(
        _ condition: Bool, _ config: [String: Any], _ member: String, _ text: String
    ) throws {
        guard !condition else { return }
        let setups = config["setup_tests"] as? [String] ?? []
        throw Failure(
            isSetup: config["setup"] as? Bool == true || setups.contains(member), text: text)
    }

    private static func check(
        _ response: TransportResponse?, _ config: [String: Any], number: Int
    ) throws {
        guard let response else {
            // The case tests a broken connection.
            if config["disconnect"] as? Bool == true, config["expected_type"] == nil { return }
            return try expect(false, config, "expected_type", "\(number): no response")
        }
        let head = response.head
        let count = head.value(for: "Server-Request-Count").flatMap { Int($0) }
        switch config["expected_type"] as? String {
        case "cached":
            try expect(
                (count ?? number) < number || head.statusCode == 304, config, "expected_type",
                "\(number): not from cache")
        case "not_cached":
            try expect(count == number, config, "expected_type", "\(number): from cache")
        default: break
        }
        let expected =
            config["expected_status"] ?? (config["response_status"] as? [Any])?.first ?? 200
        if let status = expected as? Int {
            try expect(
                head.statusCode == status, config, "expected_status",
                "\(number): status \(head.statusCode), not \(status)")
        }
        try checkFields(head, config, number: number)
        if config["check_body"] as? Bool != false, config["request_method"] as? String != "HEAD" {
            let body = config["expected_response_text"] ?? config["response_body"]
            if let text = body as? String {
                try expect(
                    response.text == text, config, "expected_response_text", "\(number): body")
            }
        }
    }

    private static func checkFields(
        _ head: ResponseHead, _ config: [String: Any], number: Int
    ) throws {
        for item in config["expected_response_headers"] as? [Any] ?? [] {
            let parts = item as? [Any] ?? [item]
            let name = parts.first as? String ?? ""
            let value = head.value(for: name)
            var isMet = value != nil
            if parts.count > 2, let limit = parts[2] as? Int {
                isMet = (value.flatMap { Int($0) } ?? 0) > limit
            } else if parts.count > 2, let other = parts[2] as? String {
                isMet = value == head.value(for: other)
            } else if parts.count == 2, let text = parts[1] as? String {
                isMet = value == text
            }
            try expect(
                isMet, config, "expected_response_headers",
                "\(number): \(name) is \(value ?? "missing")")
        }
        for item in config["expected_response_headers_missing"] as? [Any] ?? [] {
            guard let name = item as? String else { continue }
            try expect(
                head.value(for: name) == nil, config, "expected_response_headers_missing",
                "\(number): \(name) is there")
        }
    }

    private static func checkServer(
        _ seen: [SuiteServer.Seen], _ configs: [[String: Any]]
    ) throws {
        var next = 0
        for (index, config) in configs.enumerated() {
            let type = config["expected_type"] as? String
            if type == "cached" { continue }
            let request = next < seen.count ? seen[next] : nil
            next += 1
            if type == "not_cached" {
                try expect(
                    request?.number == index + 1, config, "expected_type",
                    "\(index + 1): not on the server")
            }
            let validators = [
                "etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since",
            ]
            if let name = type.flatMap({ validators[$0] }) {
                try expect(
                    request?.request.value(forHTTPHeaderField: name) != nil, config,
                    "expected_type", "\(index + 1): no \(name)")
            }
            for item in config["expected_request_headers"] as? [Any] ?? [] {
                let parts = item as? [Any] ?? [item]
                let name = parts.first as? String ?? ""
                let value = request?.request.value(forHTTPHeaderField: name)
                try expect(
                    parts.count > 1 ? value == parts[1] as? String : value != nil, config,
                    "expected_request_headers", "\(index + 1): request's \(name)")
            }
            if let method = config["expected_method"] as? String {
                try expect(
                    request?.request.httpMethod == method, config, "expected_method",
                    "\(index + 1): method")
            }
        }
    }
}

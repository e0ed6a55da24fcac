import Foundation
import MoyaCore
import MoyaMockServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Kinds of requests and their permitted results.
extension SurvivalTests {
    /// Request and its permitted results.
    struct Trial: Sendable {
        let path: String
        var method = "GET"
        var body = RequestBody.none
        /// Long, because 256 requests run concurrently on a machine that may be busy.
        var timeout: TimeInterval = 120
        var isCancelled = false
        var isStream = false
        /// Whether the reader stops after the first bytes.
        var isLeft = false
        var isDownload = false
        var credential: URLCredential?
        var statuses: Set<Int> = []
        var errors: Set<URLError.Code> = []
    }

    static let trials = common + files + challenges + oddities

    private static let common: [Trial] = [
        Trial(path: "/get", statuses: [200]),
        Trial(path: "/bytes/200000", statuses: [200]),
        Trial(path: "/gzip", statuses: [200]),
        Trial(path: "/stream/50", statuses: [200]),
        Trial(path: "/status/404", statuses: [404]),
        Trial(
            path: "/post", method: "POST", body: .data(Data(repeating: 7, count: 70_000)),
            statuses: [200]),
        Trial(path: "/put", method: "PUT", statuses: [200]),
        Trial(path: "/bytes/10", method: "HEAD", statuses: [200]),
        Trial(path: "/redirect/3", statuses: [200]),
        Trial(path: "/redirect/30", errors: [.httpTooManyRedirects]),
        Trial(path: "/redirect-to?url=ftp://a.test/", errors: [.unsupportedURL]),
        Trial(path: "/basic-auth/user/pass", statuses: [401]),
        Trial(path: "/close", errors: [.networkConnectionLost]),
        Trial(path: "/reset", errors: [.networkConnectionLost]),
        Trial(path: "/truncated", errors: [.networkConnectionLost]),
        Trial(path: "/truncated-reset", errors: [.networkConnectionLost]),
        Trial(
            path: "/bad-chunk", errors: [.networkConnectionLost, .cannotDecodeRawData, .unknown]),
        Trial(path: "/no-http", errors: [.badServerResponse]),
        Trial(
            path: "/close", method: "POST", body: .data(Data(repeating: 7, count: 200_000)),
            errors: [.networkConnectionLost]),
        Trial(path: "/stall", timeout: 0.05, errors: [.timedOut]),
        Trial(path: "/stall", isCancelled: true, errors: [.cancelled]),
        Trial(
            path: "/drip?bytes=100&delay=1", isCancelled: true, statuses: [200],
            errors: [.cancelled]),
        Trial(path: "/bytes/2000000", isCancelled: true, statuses: [200], errors: [.cancelled]),
        Trial(
            path: "/post", method: "POST", body: .data(Data(repeating: 7, count: 500_000)),
            isCancelled: true, statuses: [200], errors: [.cancelled]),
        Trial(path: "/bytes/700000", isStream: true, statuses: [200]),
        Trial(path: "/redirect/3", isStream: true, statuses: [200]),
        Trial(path: "/truncated", isStream: true, errors: [.networkConnectionLost]),
        Trial(
            path: "/bytes/2000000", isCancelled: true, isStream: true, statuses: [200],
            errors: [.cancelled]),
        Trial(path: "/post", method: "POST", body: pieces, statuses: [200]),
        Trial(
            path: "/post", method: "POST", body: pieces, isCancelled: true, isStream: true,
            statuses: [200], errors: [.cancelled]),
    ]

    private static let files: [Trial] = [
        Trial(path: "/post", method: "POST", body: .file(upload), statuses: [200]),
        Trial(
            path: "/post", method: "POST", body: .file(upload), isCancelled: true, statuses: [200],
            errors: [.cancelled]),
        Trial(
            path: "/close", method: "PUT", body: .file(upload), errors: [.networkConnectionLost]),
        Trial(path: "/moved", method: "POST", body: .file(upload), statuses: [200]),
        Trial(path: "/bytes/300000", isDownload: true, statuses: [200]),
        Trial(path: "/truncated", isDownload: true, errors: [.networkConnectionLost]),
        Trial(
            path: "/bytes/2000000", isCancelled: true, isDownload: true, statuses: [200],
            errors: [.cancelled]),
        Trial(path: "/bytes/3000000", isStream: true, isLeft: true, statuses: [200]),
        Trial(path: "/stream/50", isStream: true, isLeft: true, statuses: [200]),
    ]

    private static let challenges: [Trial] = [
        Trial(path: "/basic-auth/user/pass", credential: user, statuses: [200]),
        Trial(path: "/basic-auth/other/pass", credential: user, statuses: [401]),
        Trial(path: "/digest", credential: user, statuses: [200]),
        Trial(
            path: "/digest", method: "POST", body: pieces, credential: user, statuses: [200]),
        Trial(
            path: "/digest", isCancelled: true, credential: user, statuses: [200],
            errors: [.cancelled]),
    ]

    /// Requests and responses that URLSession on Linux handles badly.
    private static let oddities: [Trial] = [
        Trial(path: "/redirect/15", isCancelled: true, statuses: [200], errors: [.cancelled]),
        Trial(
            path: "/redirect/30", isCancelled: true, errors: [.cancelled, .httpTooManyRedirects]),
        Trial(path: "/two-lengths", errors: [.badServerResponse]),
        Trial(path: "/two-lengths", isStream: true, errors: [.badServerResponse]),
        Trial(path: "/many-fields", statuses: [200]),
        Trial(path: "/early-hints", statuses: [200]),
        Trial(
            path: "/half-close", method: "POST", body: .data(Data(count: 100_000)),
            statuses: [200]),
    ]

    private static let user = URLCredential(user: "user", password: "pass", persistence: .none)

    static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "survival-\(UUID().uuidString)")
    static let upload = folder.appendingPathComponent("upload")

    private static let pieces = RequestBody.stream(
        RequestBodyStream {
            AsyncStream<Data> { continuation in
                for _ in 0..<20 { continuation.yield(Data(repeating: 7, count: 10_000)) }
                continuation.finish()
            }
        })

    static let answer: MockServer.Handler = { request in
        let whole = MockResponse(body: .pattern(byteCount: 100_000))
        switch request.path {
        case "/close": return .silence(then: .close)
        case "/reset": return .silence(then: .reset)
        case "/truncated": return whole.truncated(after: 50_000)
        case "/truncated-reset": return whole.truncated(after: 50_000, then: .reset)
        case "/bad-chunk":
            return .raw(
                Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n".utf8))
        case "/no-http": return .raw(Data("SSH-2.0-OpenSSH_9\r\n\r\n".utf8))
        case "/moved": return .redirect(to: "/post", status: 307)
        case "/digest":
            return request.value(for: "Authorization") == nil
                ? .text("Who?", status: 401).adding(
                    "WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
                : .text("You.")
        default: return oddAnswer(request)
        }
    }

    private static let oddAnswer: MockServer.Handler = { request in
        // Each response closes its connection, so that no other request reuses it.
        func raw(_ status: String, _ rest: String) -> MockResponse {
            .raw(Data("HTTP/1.1 \(status)\r\nConnection: close\r\n\(rest)\r\n\r\n".utf8))
        }
        switch request.path {
        case "/two-lengths": return raw("200 OK", "Content-Length: 1\r\nContent-Length: 0\r\n\r\nx")
        case "/many-fields":
            let fields = (0..<200).map { "X-\($0): \($0)" }.joined(separator: "\r\n")
            return raw("200 OK", "\(fields)\r\nContent-Length: 0")
        case "/early-hints": return .text("hello").preceded(by: 103)
        case "/half-close":
            return .text("hello").adding("Connection", "close").ending(.halfClose)
        default: return MockServer.httpbin(request)
        }
    }
}

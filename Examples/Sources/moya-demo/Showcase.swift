import Foundation
import MoyaCore
import MoyaLayers
import MoyaMockServer
import MoyaMultipart
import MoyaStreaming
import MoyaTransportCurl

/// Retries, token refresh, a cache, resumed downloads and server-sent events, over libcurl.
struct Showcase {
    let server: MockServer
    let folder: URL
    let transport: any Transport

    init(server: MockServer, folder: URL, recorder: HARRecorder) {
        self.server = server
        self.folder = folder
        transport = CurlTransport().recording(to: recorder)
    }

    /// Runs every step and calls `show` with its row. Returns whether every step succeeded.
    func run(_ show: (Row) -> Void) async -> Bool {
        let steps = [
            ("retry with Retry-After", retry), ("token refresh", refresh), ("cache", cache),
            ("download that goes on", resume), ("server-sent events", follow),
        ]
        var isGood = true
        for (name, body) in steps {
            let row = await step(name, over: "curl", body)
            show(row)
            isGood = isGood && row.isGood
        }
        return isGood
    }

    private func request(_ target: NewsAPI) -> NewsRequest {
        NewsRequest(server: server.url, target: target)
    }

    private func retry() async throws -> Outcome {
        let provider = MoyaProvider<NewsRequest>(transport: transport.retrying(.exponential()))
        let busy = MockResponse(status: 503).adding("Retry-After", "1")
        server.enqueue(busy)
        let start = Date()
        let response = try await provider.request(request(.headlines))
        try expect(server.enqueuedCount == 0, "the server to refuse the first request")
        let pause = Date().timeIntervalSince(start)
        try expect(pause >= 1, "a pause of a second, not of \(pause) s")
        return Outcome("503, a pause of \(String(format: "%.1f", pause)) s, \(response.statusCode)")
    }

    private func refresh() async throws -> Outcome {
        let refreshes = Counter()
        let tokens = TokenRefresher(token: AccessToken("stale")) { _ in
            await refreshes.increment()
            return AccessToken("fresh")
        }
        let provider = MoyaProvider<NewsRequest>(transport: transport.authorizing(with: tokens))
        let before = server.requests.count
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await provider.request(request(.account), as: Account.self).name
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try expect(names == Array(repeating: "Ada", count: 10), "ten accounts, not \(names)")
        let sent = server.requests.count - before
        let count = await refreshes.value
        try expect(count == 1, "1 refresh, not \(count)")
        return Outcome("10 requests with an old token, \(count) refresh, 10 × 200 (\(sent) sent)")
    }

    private func cache() async throws -> Outcome {
        let provider = MoyaProvider<NewsRequest>(
            transport: transport.caching(in: MemoryCacheStore()))
        let first = try await provider.request(request(.front))
        let second = try await provider.request(request(.front))
        try expect(second.data == first.data, "the same body twice")
        try expect(second.cacheStatus?.forwardStatus == 304, "the server to say 304")
        return Outcome("200, then 304: \(second.data.count) bytes that were not sent again")
    }

    private func resume() async throws -> Outcome {
        let provider = MoyaProvider<NewsRequest>(transport: transport)
        let half = NewsBody.film.count / 2
        let whole = MockResponse(body: .data(NewsBody.film)).adding("ETag", "\"film\"")
        server.enqueue(whole.adding("Accept-Ranges", "bytes").truncated(after: half))
        let file = folder.appendingPathComponent("film")
        let before = server.requests.count
        let result = try await provider.resumableDownload(request(.film), to: file)
        try expect(try Data(contentsOf: file) == NewsBody.film, "the file to be whole")
        let range = server.requests[before...].compactMap { $0.value(for: "Range") }.last ?? ""
        try expect(range.hasPrefix("bytes="), "a request for the rest")
        return Outcome("lost after 4 MiB, went on with \(range): \(result.byteCount >> 20) MiB")
    }

    private func follow() async throws -> Outcome {
        let provider = MoyaProvider<NewsRequest>(transport: transport)
        var events: [String] = []
        for try await event in provider.serverSentEvents(request(.ticker)) {
            events.append(event.data)
        }
        try expect(events == ["kick-off", "1:0", "1:1"], "three events, not \(events)")
        return Outcome("\(events.joined(separator: ", ")): reconnected after event 2")
    }
}

/// Number of calls of a closure.
private actor Counter {
    private(set) var value = 0

    func increment() { value += 1 }
}

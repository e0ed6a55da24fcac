import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Damaged cache files, and stored responses with invalid header fields.
@Suite(.seeded) struct DamagedCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var key: String { "http://host.test/path" }

    private func odd(_ random: inout OddFieldValues) -> StoredResponse {
        func text() -> String { String(decoding: random.value(), as: UTF8.self) }
        func time() -> Date {
            let times: [TimeInterval] = [
                0, -1, 1e300, -1e300, 784_111_777, .greatestFiniteMagnitude, 253_402_300_800,
            ]
            return Date(timeIntervalSince1970: times.randomElement(using: &random) ?? 0)
        }
        let names = [
            "ETag", "Last-Modified", "Date", "Age", "Expires", "Vary", "Cache-Control", text(), "",
            "Content-Length", "Connection",
        ]
        let controls = [
            "max-age=0", "max-age=99999999999999999999", "max-age=-1", "max-age=\"1", "no-cache",
            "stale-while-revalidate=1e9", "stale-if-error=18446744073709551616", "immutable", ",,=",
        ]
        let fields = (0..<8).map { _ in
            HeaderField(
                name: names.randomElement(using: &random) ?? "",
                value: Bool.random(using: &random)
                    ? text() : controls.randomElement(using: &random) ?? "")
        }
        let statuses = [200, 0, -1, 99, 304, 206, 999, 1000, .max, .min]
        let urls = [key, "relative", "file:///etc/hostname", "data:,", "http://"]
        return StoredResponse(
            statusCode: statuses.randomElement(using: &random) ?? 200,
            url: url(urls.randomElement(using: &random) ?? key), httpVersion: text(),
            fields: fields, body: Data(text().utf8), requestTime: time(), responseTime: time(),
            selectors: [:])
    }

    @Test(arguments: 0..<60)
    func `a random stored response is served or fetched again without an invalid request`(seed: Int)
        async throws
    {
        var random = OddFieldValues(case: seed)
        let stored = odd(&random)
        let clock = TestClock(movesByItself: true)
        for store in [MemoryCacheStore(), DiskCacheStore(folder: folder.url)] as [any CacheStore] {
            await store.update(key) { $0 = [stored] }
            let stub = StubTransport { try .test($0, body: "new") }
            var options = CacheOptions()
            options.staleIfError = .infinity
            let cache = stub.caching(in: store, options: options, clock: clock)
            for headers in [[:], ["Cache-Control": "max-stale"], ["Cache-Control": "max-age=0"]] {
                let response = try await cache.send(.test(headers: headers))
                let bodies = [String(decoding: stored.body, as: UTF8.self), "new"]
                #expect(bodies.contains(response.text))
                _ = response.head.urlResponse
                _ = "\(response.cacheStatus.map(String.init(describing:)) ?? "")"
            }
            for request in stub.requests {
                try request.validate()
            }
        }
    }

    @Test(arguments: 0..<60)
    func `a damaged disk cache file is not served, and the response is fetched again`(seed: Int)
        async throws
    {
        var random = OddFieldValues(case: seed)
        let store = DiskCacheStore(folder: folder.url)
        let stored = StoredResponse(
            statusCode: 200, url: url(key), httpVersion: "HTTP/1.1",
            fields: [HeaderField(name: "Cache-Control", value: "max-age=60")],
            body: Data("right".utf8), requestTime: Date(), responseTime: Date(),
            selectors: CacheRules.selectors(for: [], of: .test()))
        await store.update(key) { $0 = [stored] }
        let name = try #require(folder.names.first { $0.hasSuffix(".response") })
        let file = folder.url.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        switch seed % 4 {
        case 0: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
        case 1: bytes = random.value()
        case 2: bytes += random.value() + Data([0])
        default:
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
        }
        try bytes.write(to: file)
        let stub = StubTransport { try .test($0, 200, ["Cache-Control": "max-age=60"]) }
        let cache = stub.caching(in: DiskCacheStore(folder: folder.url))
        #expect(try await cache.send(.test()).text == "answer")
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
        #expect(stub.requests.count == 1)
    }
}

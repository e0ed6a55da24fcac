import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cache tests that share a clock and a store.
protocol CachingSuite {
    var clock: TestClock { get }
    var store: MemoryCacheStore { get }
}

extension CachingSuite {
    func cache(
        _ origin: some Transport, _ change: (inout CacheOptions) -> Void = { _ in }
    ) -> CachingTransport {
        var options = CacheOptions()
        change(&options)
        return origin.caching(in: store, options: options, clock: clock)
    }
}

/// An origin server whose responses a test changes, and that supports validation.
final class Origin: Transport {
    struct Page {
        var status = 200
        var headers: [String: String] = [:]
        var body = "one"
        var error: URLError.Code?
    }

    private let state: Locked<(page: Page, requests: [TransportRequest])>

    init(_ headers: [String: String] = [:]) {
        state = Locked((Page(headers: headers), []))
    }

    var page: Page {
        get { state.withLock(\.page) }
        set { state.withLock { $0.page = newValue } }
    }

    var requests: [TransportRequest] { state.withLock(\.requests) }
    var count: Int { requests.count }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        state.withLock { $0.requests.append(request) }
        if let error = page.error { throw URLError(error) }
        if let tag = page.headers["ETag"], request.value(for: "If-None-Match") == tag {
            return try .test(request, 304, page.headers, body: "")
        }
        return try .test(request, page.status, page.headers, body: page.body)
    }
}

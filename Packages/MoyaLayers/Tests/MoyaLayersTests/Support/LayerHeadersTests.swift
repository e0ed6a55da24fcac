import Foundation
import MoyaCore
@testable import MoyaLayers
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The header fields that a layer names for logs.
@Suite struct LayerHeadersTests {
    private struct Named: Transport {
        var sessionHeaders: [String: String] { ["User-Agent": "inner"] }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw URLError(.timedOut)
        }
    }

    private let transport = Named()

    @Test func `a layer names the header fields of the transport that it owns`() {
        var layers: [any Transport] = [
            transport.retrying(), transport.caching(in: MemoryCacheStore()),
            transport.coalescing(), transport.hedging(after: 1), transport.timingOut(after: 1),
            transport.replacingOrigin(with: URL(fileURLWithPath: "/")),
            transport.observing { _ in }, transport.limitingRate(with: RateLimiter(1, per: 1)),
            transport.breakingCircuit(),
        ]
        #if Tracing
            layers.append(transport.tracing())
        #endif
        for layer in layers {
            #expect(layer.sessionHeaders == ["User-Agent": "inner"], "\(type(of: layer))")
        }
    }

    @Test func `a layer that adds a header field names it in place of the transport's`() {
        let layer = transport.identifying(as: UserAgent.default)
        #expect(layer.sessionHeaders == ["User-Agent": UserAgent.default.description])
    }
}

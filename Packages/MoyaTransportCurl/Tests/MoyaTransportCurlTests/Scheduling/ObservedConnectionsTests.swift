import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct ObservedConnectionsTests {
    private let events = Recorder<String>()

    private func endpoints(_ port: Int32) -> ConnectionEndpoints {
        ConnectionEndpoints(local: .init("192.0.2.1", port), remote: .init("192.0.2.2", 80))
    }

    private var observer: ObservedConnections.Observer {
        let events = events
        return { event in
            guard case .connection(let origin, let state, let previous) = event else { return }
            events.record("\(origin) \(state) \(previous.map { "\($0)" } ?? "new")")
        }
    }

    @Test func `a connection with two requests is idle after both`() {
        var connections = ObservedConnections()
        connections.open(3, endpoints(1), for: URL(string: "https://a.test/x"), observer, at: 0)()
        connections.use(endpoints(1))?()
        connections.leave(endpoints(1))?()
        connections.leave(endpoints(1))?()
        connections.use(endpoints(1))?()
        connections.close(3, at: 2_000_000_000)?()
        #expect(
            events.items
                == [
                    "active new", "idle active", "active idle", "closed(lifetime: 2.0) active",
                ].map { "https://a.test:443 \($0)" })
        #expect(connections.isEmpty)
    }

    @Test func `a request that leaves a closed connection is not reported`() {
        var connections = ObservedConnections()
        _ = connections.open(3, endpoints(1), for: nil, observer, at: 5)
        _ = connections.close(3, at: 0)
        #expect(connections.leave(endpoints(1)) == nil)
        #expect(connections.use(endpoints(1)) == nil)
        #expect(connections.close(3, at: 0) == nil)
        #expect(!connections.contains(endpoints(1)))
    }
}

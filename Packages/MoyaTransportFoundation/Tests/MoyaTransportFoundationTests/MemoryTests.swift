#if os(Linux)
    import Foundation
    @_spi(MoyaInternals) import MoyaCore
    import MoyaTesting
    import MoyaTransportFoundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite struct MemoryTests {
        @Test func `a reader that is slower than the server keeps little in memory`() async throws {
            let size = 160 << 20
            let server = try MockServer()
            defer { server.stop() }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "slow-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let before = TransportConformance.Footprint.current().residentKiB
            let seen = Locked((reports: 0, highest: 0))
            let request = TransportRequest(
                URLRequest(url: server.url.appendingPathComponent("bytes/\(size)")),
                destination: .file(file),
                progress: { _ in
                    // Slow on purpose: the server and libcurl are done in a fraction of the time.
                    usleep(150)
                    seen.withLock { seen in
                        seen.reports += 1
                        guard seen.reports % 200 == 0 else { return }
                        let now = TransportConformance.Footprint.current().residentKiB
                        seen.highest = max(seen.highest, now - before)
                    }
                })
            let response = try await FoundationTransport().send(request)
            #expect(response.metrics.bytesReceived == Int64(size))
            #expect(seen.withLock(\.highest) < 64 << 10)
        }

        @Test func `a shutdown out of a slow reader ends all there is`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let transport = FoundationTransport()
            let large = server.url.appendingPathComponent("bytes/\(64 << 20)")
            let reports = Locked(0)
            let request = TransportRequest(
                URLRequest(url: large),
                progress: { _ in
                    let isLate = reports.withLock { reports in
                        reports += 1
                        return reports == 50
                    }
                    usleep(500)
                    if isLate { transport.shutdown() }
                })
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await transport.send(request)
                            return nil
                        } catch { return (error as? URLError)?.code }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .cancelled, count: 8))
            try await server.waitUntilDisconnected()
        }
    }
#endif

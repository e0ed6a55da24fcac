import MoyaInternals

#if os(Linux)
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportConformance
    import MoyaTestSupport
    import MoyaTransportFoundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite struct MemoryTests {
        // Each test runs in a child process, so that it measures only its own memory.

        @Test func `a progress handler slower than the server keeps memory bounded`() async {
            await #expect(processExitsWith: .success) { try await Self.downloadSlowly() }
        }

        @Test func `a reader that pauses keeps memory bounded and receives every byte`() async {
            await #expect(processExitsWith: .success) { try await Self.readAfterPause() }
        }

        private static func keptKiB() -> Int {
            Sanitizer.allocatedKiB ?? TransportConformance.Footprint.current().residentKiB
        }

        /// Memory limit in KiB: a fraction of the bytes transferred.
        private static let limitKiB = 32 << 10

        private static func downloadSlowly() async throws {
            let size = 160 << 20
            let server = try MockServer()
            defer { server.stop() }
            let folder = try TemporaryFolder()
            let file = folder.file()
            let before = keptKiB()
            let seen = Locked((reports: 0, highest: 0))
            let request = TransportRequest(
                URLRequest(url: server.url.appendingPathComponent("bytes/\(size)")),
                destination: .file(file),
                progress: { _ in
                    // Slower than the server and libcurl, which finish in a fraction of the time.
                    usleep(150)
                    seen.withLock { seen in
                        seen.reports += 1
                        guard seen.reports % 200 == 0 else { return }
                        let now = keptKiB()
                        seen.highest = max(seen.highest, now - before)
                    }
                })
            let response = try await FoundationTransport().send(request)
            #expect(response.metrics.bytesReceived == Int64(size))
            #expect(seen.withLock(\.highest) < limitKiB)
        }

        private static func readAfterPause() async throws {
            let size = 200 << 20
            let server = try MockServer()
            defer { server.stop() }
            let before = keptKiB()
            let received = Locked<Int64>(0)
            let request = TransportRequest(
                URLRequest(url: server.url.appendingPathComponent("bytes/\(size)")),
                destination: .stream,
                progress: { progress in received.withLock { $0 = progress.bytesReceived } })
            guard case .stream(let stream) = try await FoundationTransport().send(request).body
            else { throw URLError(.cannotParseResponse) }
            var chunks = stream.makeAsyncIterator()
            var (count, highest, isRight) = (0, 0, true)
            while let chunk = try await chunks.next() {
                // Without back-pressure, the transport receives everything meanwhile.
                if count == 0 { _ = try await waitUntilStable { received.withLock { $0 } } }
                isRight = isRight && chunk == servedBytes(at: count, chunk.count)
                count += chunk.count
                highest = max(highest, keptKiB())
            }
            #expect(count == size)
            #expect(isRight)
            #expect(highest - before < limitKiB)
            #expect(stream.metrics?.bytesReceived == Int64(size))
        }

        @Test func `a shutdown from a slow progress handler cancels all requests`() async throws {
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

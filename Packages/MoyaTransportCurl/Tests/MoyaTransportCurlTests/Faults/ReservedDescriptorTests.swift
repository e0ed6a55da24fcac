import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot pass the port to the child process.
#if compiler(>=6.3)
    /// Requests in child processes with no free descriptor but the reserved ones.
    @Suite(.timeLimit(.minutes(3))) struct ReservedDescriptorTests {
        /// A server that responds when `count` requests have arrived.
        private func meeting(of count: Int) throws -> MockServer {
            let arrived = Counter()
            let gate = DispatchSemaphore(value: 0)
            return try MockServer { _ in
                if arrived.next() == count {
                    for _ in 1..<count { gate.signal() }
                } else {
                    gate.wait()
                }
                return .text("x")
            }
        }

        private static func transport(
            _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
        ) throws -> CurlTransport {
            var configuration = CurlTransport.Configuration()
            configuration.threads = 1
            change(&configuration)
            return try CurlTransport(configuration: configuration)
        }

        private static func request(
            _ host: String, _ port: Int, to destination: ResponseDestination = .memory(),
            path: String = ""
        ) throws -> TransportRequest {
            let url = try #require(URL(string: "http://\(host):\(port)/\(path)"))
            return TransportRequest(.patient(url), destination: destination)
        }

        private static func sendTogether(
            _ count: Int, _ transport: CurlTransport, _ request: TransportRequest
        ) async throws -> [Int] {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<count {
                    group.addTask { try await transport.send(request).head.statusCode }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        @Test func `concurrent requests complete one by one when no file descriptor is free`()
            async throws
        {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let transport = try Self.transport()
                Descriptors.fill(to: Descriptors.ceiling)
                let statuses = try await Self.sendTogether(
                    10, transport, Self.request("127.0.0.1", port))
                #expect(statuses == Array(repeating: 200, count: 10))
            }
        }

        @Test func `idle connections are closed to free file descriptors`() async throws {
            // None of the eight requests ends before each has a connection.
            let familiar = try meeting(of: 8)
            let other = try meeting(of: 8)
            defer {
                familiar.stop()
                other.stop()
            }
            await #expect(processExitsWith: .success) {
                [familiar = familiar.port as Int, other = other.port as Int] in
                try Descriptors.limit()
                let transport = try Self.transport()
                let url = try #require(URL(string: "http://127.0.0.1:\(familiar)/"))
                try await transport.warmUp(url, connections: 8)
                Descriptors.fill(to: Descriptors.ceiling)
                let statuses = try await Self.sendTogether(
                    8, transport, Self.request("127.0.0.1", other))
                #expect(statuses == Array(repeating: 200, count: 8))
            }
        }

        @Test func `a raised descriptor limit takes effect`() async throws {
            let server = try meeting(of: 10)
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let transport = try Self.transport()
                Descriptors.fill(to: Descriptors.ceiling)
                try ResourceLimit.descriptors.set(256)
                let statuses = try await Self.sendTogether(
                    10, transport, Self.request("127.0.0.1", port))
                #expect(statuses == Array(repeating: 200, count: 10))
            }
        }

        /// libcurl resolves 127.1 as a name, and the resolver returns an address for it.
        @Test func `concurrent name lookups leave file descriptors to the process`()
            async throws
        {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let transport = CurlTransport()
                let watch = DescriptorWatch()
                let statuses = try await Self.sendTogether(
                    500, transport, Self.request("127.1", port))
                #expect(statuses == Array(repeating: 200, count: 500))
                #expect(watch.stop() == 0)
            }
        }

        @Test func `concurrent name lookups are limited by the free file descriptors`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                try Descriptors.limit()
                let server = try MockServer()
                let transport = try Self.transport()
                let stall = try Self.request("127.0.0.1", server.port, path: "stall")
                let stalled = (0..<3).map { _ in Task { try await transport.send(stall) } }
                _ = try await server.waitForRequests(3)
                let loop = try transport.firstLoop()
                let counts = try await loop.perform { driver in
                    var lookups = Array(repeating: ConnectingState(), count: 20)
                    func mayBegin(_ index: Int) -> Bool {
                        driver.descriptors.beginLookup(
                            &lookups[index], DescriptorClaim(), among: driver.handles.active.count)
                    }
                    let first = lookups.indices.count(where: mayBegin)
                    let again = lookups.indices.count(where: mayBegin)
                    for index in lookups.indices { driver.descriptors.endLookup(&lookups[index]) }
                    return [first, again, lookups.indices.count(where: mayBegin)]
                }
                #expect(counts == [14, 14, 14])
                for task in stalled { task.cancel() }
            }
        }

        @Test func `sequential downloads without free file descriptors reuse one connection`()
            async throws
        {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let folder = try TemporaryFolder()
                let transport = try Self.transport()
                Descriptors.fill(to: Descriptors.ceiling)
                for index in 0..<3 {
                    let response = try await transport.send(
                        Self.request("127.0.0.1", port, to: .file(folder.file("\(index)"))))
                    #expect(response.metrics.isReusedConnection == (index > 0))
                }
            }
        }

        @Test func `a request waits for a file descriptor no longer than for a connection`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                try Descriptors.limit()
                let server = try MockServer()
                let transport = try Self.transport { $0.connectionWaitTimeout = 0.6 }
                Descriptors.fill(to: Descriptors.ceiling - 2)
                let request = try Self.request("127.0.0.1", server.port, path: "stall")
                let stalled = [0, 1].map { _ in Task { try await transport.send(request) } }
                _ = try await server.waitForRequests(2)
                Descriptors.fill(to: Descriptors.ceiling)
                let error = await #expect(throws: URLError.self) {
                    try await transport.send(request)
                }
                let text = "No file descriptor of the process became free in time."
                #expect(error?.localizedDescription.hasPrefix(text) == true)
                for task in stalled {
                    task.cancel()
                    let end = await #expect(throws: URLError.self) { try await task.value }
                    #expect(end?.code == .cancelled)
                }
            }
        }

        /// Such requests also give back their place in the connection queue.
        @Test func `cancelled requests waiting for file descriptors give up their place to others`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                try Descriptors.limit()
                let server = try MockServer()
                let other = try MockServer()
                let transport = try Self.transport { $0.maxConnectionsPerHost = 2 }
                Descriptors.fill(to: Descriptors.ceiling - 2)
                let stall = try Self.request("127.0.0.1", server.port, path: "stall")
                let stalled = [0, 1].map { _ in Task { try await transport.send(stall) } }
                _ = try await server.waitForRequests(2)
                Descriptors.fill(to: Descriptors.ceiling)
                let request = try Self.request("127.0.0.1", other.port, path: "get")
                let waiting = [0, 1].map { _ in Task { try await transport.send(request) } }
                for task in waiting {
                    task.cancel()
                    let end = await #expect(throws: URLError.self) { try await task.value }
                    #expect(end?.code == .cancelled)
                }
                try ResourceLimit.descriptors.set(256)
                #expect(try await transport.send(request).head.statusCode == 200)
                for task in stalled { task.cancel() }
            }
        }

        @Test
        func `a request waiting for file descriptors proceeds beside requests that never end`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                try Descriptors.limit()
                let server = try MockServer()
                let transport = try Self.transport()
                Descriptors.fill(to: Descriptors.ceiling - 3)
                let stall = try Self.request("127.0.0.1", server.port, path: "stall")
                let stalled = (0..<3).map { _ in Task { try await transport.send(stall) } }
                _ = try await server.waitForRequests(3)
                Descriptors.fill(to: Descriptors.ceiling)
                let request = try Self.request("127.0.0.1", server.port, path: "get")
                #expect(try await transport.send(request).head.statusCode == 200)
                for task in stalled { task.cancel() }
            }
        }
    }
#endif

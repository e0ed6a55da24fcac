import Foundation
import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot hand the port to the other process.
#if compiler(>=6.3)
    @Suite struct DescriptorTests {
        /// In a process of its own, which may open few descriptors.
        @Test func `requests wait for descriptors instead of failing without one`() async throws {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                Self.closeInheritedSockets()
                try ResourceLimit.descriptors.set(128)
                let transport = CurlTransport()
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<2000 {
                        group.addTask {
                            try await transport.send(TransportRequest(.patient(url))).head
                                .statusCode
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 200, count: 2000))
            }
            #expect(server.connectionCount <= 96)
        }

        /// In a process of its own, which may open few descriptors: each of these needs two.
        @Test(.timeLimit(.minutes(15)))
        func `downloads and uploads of files wait for descriptors as well`() async throws {
            let server = try MockServer { request in .text("\(request.body.count)") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                Self.closeInheritedSockets()
                let folder = try TemporaryFolder()
                let source = try folder.file("source", Data(count: 7))
                try ResourceLimit.descriptors.set(128)
                let transport = CurlTransport()
                var upload = URLRequest.patient(
                    try #require(URL(string: "http://127.0.0.1:\(port)/")))
                upload.httpMethod = "PUT"
                let watch = DescriptorWatch()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<500 {
                        let file = folder.url.appendingPathComponent("\(index)")
                        let request = TransportRequest(
                            upload, body: .file(source), destination: .file(file))
                        group.addTask { _ = try await transport.send(request) }
                    }
                    try await group.waitForAll()
                }
                // libdispatch ends a process in which it cannot open files.
                #expect(watch.stop() == 0)
                for index in 0..<500 {
                    let file = folder.url.appendingPathComponent("\(index)")
                    #expect(try Data(contentsOf: file) == Data("7".utf8))
                }
            }
        }

        /// In a process of its own, which has few descriptors left.
        @Test(.timeLimit(.minutes(15)))
        func `a request waits no longer for a descriptor than for a connection`() async throws {
            await #expect(processExitsWith: .success) {
                Self.closeInheritedSockets()
                try ResourceLimit.descriptors.set(128)
                let server = try MockServer()
                var configuration = CurlTransport.Configuration()
                configuration.threads = 1
                configuration.connectionWaitTimeout = 0.05
                let transport = try CurlTransport(configuration: configuration)
                let request = TransportRequest.patient(server, "/stall")
                let first = Task { try await transport.send(request) }
                _ = try await server.waitForRequests(1)
                Self.fill(to: 112)
                let error = await #expect(throws: URLError.self) {
                    try await transport.send(request)
                }
                #expect(error?.localizedDescription == "No connection became free in time.")
                first.cancel()
                let end = await #expect(throws: URLError.self) { try await first.value }
                #expect(end?.code == .cancelled)
            }
        }

        /// In a process of its own, which has few descriptors left.
        @Test(.timeLimit(.minutes(15)))
        func `idle connections make room for the only request`() async throws {
            let familiar = try MockServer { _ in .text("x") }
            let other = try MockServer { _ in .text("x") }
            defer {
                familiar.stop()
                other.stop()
            }
            await #expect(processExitsWith: .success) {
                [familiar = familiar.port as Int, other = other.port as Int] in
                let url = try #require(URL(string: "http://127.0.0.1:\(other)/"))
                let folder = try TemporaryFolder()
                Self.closeInheritedSockets()
                try ResourceLimit.descriptors.set(128)
                var configuration = CurlTransport.Configuration()
                configuration.threads = 1
                let transport = try CurlTransport(configuration: configuration)
                try await transport.warmUp(
                    try #require(URL(string: "http://127.0.0.1:\(familiar)/")), connections: 8)
                Self.fill(to: 112)
                let response = try await transport.send(
                    TransportRequest(.patient(url), destination: .memory()))
                #expect(response.head.statusCode == 200)
                #expect((0..<112).contains(open("/dev/null", O_RDONLY)))
                Self.fill(to: 112)
                let file = folder.url.appendingPathComponent("file")
                let answer = try await transport.send(
                    TransportRequest(.patient(url), destination: .file(file)))
                #expect(answer.head.statusCode == 200)
            }
        }

        /// Opens descriptors until there is no lower one than `number`.
        private static func fill(to number: Int32) {
            while case let descriptor = open("/dev/null", O_RDONLY),
                (0..<number - 1).contains(descriptor)
            {}
        }

        /// Those of tests that run at the same time in the other process: hundreds, where this one may have few.
        private static func closeInheritedSockets() {
            let folder = "/proc/self/fd"
            let files = FileManager.default
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                let target = try? files.destinationOfSymbolicLink(atPath: folder + "/" + name)
                if target?.hasPrefix("socket:") == true, let descriptor = Int32(name) {
                    close(descriptor)
                }
            }
        }
    }
#endif

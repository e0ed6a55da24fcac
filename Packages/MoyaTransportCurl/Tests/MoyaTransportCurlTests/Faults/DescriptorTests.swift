import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot pass the port to the child process.
#if compiler(>=6.3)
    @Suite struct DescriptorTests {
        /// In a child process with few descriptors.
        @Test func `requests wait for file descriptors instead of failing`() async throws {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let transport = CurlTransport()
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
                let watch = DescriptorWatch()
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
                #expect(watch.stop() == 0)
            }
            // At most 96 connections are open at once. There may be more in total, because idle
            // connections are closed when descriptors run short.
            #expect(server.connectionCount <= 2 * 96)
        }

        /// In a child process with few descriptors. Each request needs two.
        @Test(.timeLimit(.minutes(3)))
        func `file downloads and uploads wait for file descriptors instead of failing`()
            async throws
        {
            let server = try MockServer { request in .text("\(request.body.count)") }
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try Descriptors.limit()
                let folder = try TemporaryFolder()
                let source = try folder.file("source", Data(count: 7))
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
    }
#endif

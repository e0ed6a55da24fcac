import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests during and after a shutdown of their transport.
@Suite(.timeLimit(.minutes(3))) struct ShutdownTests {
    @Test func `CurlTransport cancels active requests at its shutdown and refuses new ones`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.patient(server, "/stall")
        let task = Task { try await transport.send(request) }
        _ = try await server.waitForRequests(1)
        transport.shutdown()
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let later = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(later?.code == .cancelled)
        try await server.waitUntilDisconnected()
    }

    @Test(.timeLimit(.minutes(3)))
    func `a shutdown amid concurrent sends and cancels ends each request once`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        // Leaves descriptors to other tests of this process.
        configuration.maxConnections = 100
        for _ in 0..<5 {
            let transport = try CurlTransport(configuration: configuration)
            let request = TransportRequest.patient(server)
            let arrived = Counter()
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        let task = Task { try await transport.send(request) }
                        if number % 3 == 0 { task.cancel() }
                        if arrived.next() == 700 { transport.shutdown() }
                        switch await task.result {
                        case .success(let response):
                            return response.head.statusCode == 200 ? nil : .badServerResponse
                        case .failure(let error): return (error as? URLError)?.code ?? .unknown
                        }
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes.isSubset(of: [nil, .cancelled]))
            #expect(codes.contains(.cancelled))
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a shutdown releases requests that waited for a connection`() async throws {
        final class Holder { weak var loop: CurlLoop? }
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnections = 1
        let holder = Holder()
        do {
            let transport = try CurlTransport(configuration: configuration)
            let loop = try transport.firstLoop()
            holder.loop = loop
            let request = TransportRequest.patient(server, "/stall")
            let tasks = (0..<10).map { _ in Task { try await transport.send(request) } }
            try await until { try await loop.perform { $0.queue.waitingCount } == 9 }
            transport.shutdown()
            for task in tasks {
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
        try await until { holder.loop == nil }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a shutdown ends active uploads and streams`() async throws {
        let server = try RawServer { connection in
            let head = connection.read(until: "\r\n\r\n")
            if head.starts(with: Data("GET".utf8)) {
                connection.write("HTTP/1.1 200 OK\r\n\r\npart")
            }
            connection.waitForClient()
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var upload = URLRequest.patient(server.url)
        upload.httpMethod = "PUT"
        let sending = TransportRequest(upload, body: .stream(.silent))
        let task = Task { try await transport.send(sending) }
        let response = try await transport.send(
            TransportRequest(.patient(server.url), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let streamError = await #expect(throws: URLError.self) { for try await _ in stream {} }
        #expect(streamError?.code == .cancelled)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a task on the transport's executor completes after shutdown`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.patient(server)
        let stall = TransportRequest.patient(server, "/stall")
        let error = await withTaskExecutorPreference(transport.taskExecutor) {
            _ = try? await transport.send(request)
            let waiting = Task { try await transport.send(stall) }
            _ = try? await server.waitForRequests(2)
            transport.shutdown()
            _ = await waiting.result
            return await #expect(throws: URLError.self) { try await transport.send(request) }
        }
        #expect(error?.code == .cancelled)
    }
}

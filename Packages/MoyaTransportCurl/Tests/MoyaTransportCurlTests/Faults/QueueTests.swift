import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that wait for a connection.
@Suite(.timeLimit(.minutes(3))) struct QueueTests {
    /// In a child process, because a stack overflow would end it.
    @Test func `20,000 queued requests may fail one after the other`() async throws {
        await #expect(processExitsWith: .success) {
            let busy = try await BusyTransport()
            var upload = URLRequest(url: busy.server.url)
            upload.httpMethod = "PUT"
            let missing = URL(fileURLWithPath: "/nonexistent/file")
            let request = TransportRequest(upload, body: .file(missing))
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for _ in 0..<20_000 {
                    group.addTask {
                        do { _ = try await busy.transport.send(request) } catch {
                            return (error as? URLError)?.code
                        }
                        return nil
                    }
                }
                group.addTask {
                    busy.first.cancel()
                    return .fileDoesNotExist
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [.fileDoesNotExist])
        }
    }

    @Test func `a request that waits too long for a connection times out`() async throws {
        let busy = try await BusyTransport {
            $0.maxConnections = 0
            $0.maxConnectionsPerHost = 1
            $0.connectionWaitTimeout = 0.05
        }
        defer { busy.server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await busy.transport.send(busy.request)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription.hasPrefix("No connection became free in time.") == true)
        busy.first.cancel()
        _ = await busy.first.result
        #expect(busy.server.requests.count == 1)
    }

    @Test func `a request queued for a connection can be cancelled`() async throws {
        let busy = try await BusyTransport()
        defer { busy.server.stop() }
        let second = Task { try await busy.transport.send(busy.request) }
        second.cancel()
        let error = await #expect(throws: URLError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        busy.first.cancel()
        _ = await busy.first.result
        let url = busy.server.url.appendingPathComponent("get")
        let response = try await busy.transport.send(TransportRequest(URLRequest(url: url)))
        #expect(response.head.statusCode == 200)
    }

    /// In a child process, because a blocked thread cannot be ended.
    @Test(.timeLimit(.minutes(3)))
    func `a FIFO in place of an upload file is an error and does not block`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            let folder = try TemporaryFolder()
            let pipe = folder.file()
            #expect(mkfifo(pipe.path, 0o600) == 0)
            var upload = URLRequest(url: server.url)
            upload.httpMethod = "PUT"
            let request = TransportRequest(upload, body: .file(pipe))
            let error = await #expect(throws: URLError.self) {
                try await CurlTransport().send(request)
            }
            #expect(error?.code == .fileIsDirectory)
        }
    }
}

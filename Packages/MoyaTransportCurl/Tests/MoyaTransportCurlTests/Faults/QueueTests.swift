import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What becomes of requests that wait for others.
@Suite struct QueueTests {
    /// In a process of its own, which an overflow of the stack would end.
    @Test func `any number of waiting requests may fail one after the other`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            var configuration = CurlTransport.Configuration()
            configuration.maxConnections = 1
            let transport = try CurlTransport(configuration: configuration)
            let stall = TransportRequest(
                URLRequest(url: server.url.appendingPathComponent("stall")))
            let first = Task { try await transport.send(stall) }
            _ = try await server.waitForRequests(1)
            var upload = URLRequest(url: server.url)
            upload.httpMethod = "PUT"
            let missing = URL(fileURLWithPath: "/nonexistent/file")
            let request = TransportRequest(upload, body: .file(missing))
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for _ in 0..<20_000 {
                    group.addTask {
                        do { _ = try await transport.send(request) } catch {
                            return (error as? URLError)?.code
                        }
                        return nil
                    }
                }
                group.addTask {
                    first.cancel()
                    return .fileDoesNotExist
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [.fileDoesNotExist])
        }
    }

    /// In a process of its own: a thread that hangs is nobody's to end.
    @Test(.timeLimit(.minutes(2)))
    func `a pipe in place of a file is an error and holds nobody up`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            let pipe = FileManager.default.temporaryDirectory
                .appendingPathComponent("pipe-\(UUID().uuidString)")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            defer { unlink(pipe.path) }
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

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
                for _ in 0..<50_000 {
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
}

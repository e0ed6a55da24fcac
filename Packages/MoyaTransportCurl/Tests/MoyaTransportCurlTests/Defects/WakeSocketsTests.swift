import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct WakeSocketsTests {
    private typealias Load = WakeSockets.Load

    @Test func `the sockets that a wakeup changes are found among others`() {
        let before: [Int32: Load] = [3: Load(), 4: Load(), 7: Load(unread: 5, unsent: 9)]
        let sockets = WakeSockets(before: before, wakeups: 2)
        let after: [Int32: Load] = [
            4: Load(unread: 2), 3: Load(unsent: 768), 7: Load(unread: 5, unsent: 9),
        ]
        let pair = sockets.pair(after: after)
        #expect(pair?.reader == 4)
        #expect(pair?.writer == 3)
    }

    @Test func `no sockets are found while other threads change others`() {
        let sockets = WakeSockets(before: [3: Load(), 4: Load(), 7: Load()], wakeups: 2)
        #expect(sockets.pair(after: [3: Load(), 4: Load(), 7: Load()]) == nil)
        #expect(sockets.pair(after: [4: Load(unread: 2), 3: Load(), 7: Load()]) == nil)
        #expect(sockets.pair(after: [4: Load(unread: 3), 3: Load(unsent: 768)]) == nil)
        let more: [Int32: Load] = [4: Load(unread: 2), 3: Load(unsent: 768), 7: Load(unread: 2)]
        #expect(sockets.pair(after: more) == nil)
    }

    // Older compilers cannot pass values to the child process.
    #if compiler(>=6.3) && os(Linux)
        /// In a child process, because other tests open descriptors. The oracle is the list of
        /// `ls`.
        @Test(.requires(.nginx, .openssl))
        func `a child process inherits no descriptor of a transport`() async throws {
            let nginx = try await Nginx(.valid)
            await #expect(processExitsWith: .success) {
                [
                    address = nginx.url.absoluteString as String,
                    authority = nginx.authority.path as String
                ] in
                let before = try InheritedDescriptors.list()
                var configuration = CurlTransport.Configuration()
                configuration.tls.trust = .file(URL(fileURLWithPath: authority))
                configuration.threads = 3
                let transport = try CurlTransport(configuration: configuration)
                let url = try #require(URL(string: address))
                for loop in try transport.allLoops() {
                    _ = try await loop.perform { try $0.multi.open(for: $0) }
                }
                _ = try await transport.send(TransportRequest(.patient(url)))
                #expect(try InheritedDescriptors.list() == before)
                transport.shutdown()
            }
        }
    #endif
}

/// Descriptors that a child process inherits.
enum InheritedDescriptors {
    /// Lists the sockets and event queues that a shell has which this process starts.
    static func list() throws -> [String] {
        guard let shell = popen("ls -l /proc/$$/fd", "r") else { throw POSIXError(.EMFILE) }
        defer { pclose(shell) }
        let output = FileHandle(fileDescriptor: fileno(shell)).readDataToEndOfFile()
        return String(decoding: output, as: UTF8.self).split(separator: "\n")
            .compactMap { $0.components(separatedBy: " -> ").last }
            .filter { $0.hasPrefix("socket:") || $0.hasPrefix("anon_inode:") }.sorted()
    }
}

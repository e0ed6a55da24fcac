import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportConformance
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Resources that transports open and free.
@Suite(.timeLimit(.minutes(3))) struct LifecycleTests {
    /// In a child process, without other tests' descriptors and threads.
    @Test(.timeLimit(.minutes(3)))
    func `a deallocated transport closes its connections, descriptors and thread`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            let request = TransportRequest.patient(server)
            // Opens what libcurl, Foundation and the server open once for each process.
            _ = try await CurlTransport().send(request)
            try await server.waitUntilDisconnected()
            let before = TransportConformance.Footprint.current()
            for _ in 0..<100 { _ = try await CurlTransport().send(request) }
            try await server.waitUntilDisconnected()
            // The transports and the server close asynchronously. The runtime opens a few
            // descriptors and threads at any time, but a leak would leave a hundred.
            try await until {
                let after = TransportConformance.Footprint.current()
                return after.descriptors <= before.descriptors + 20
                    && after.threads <= before.threads + 20
            }
        }
    }

    @Test func `loops created before a failing one are closed`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 8
        var made: [CurlLoop] = []
        let error = #expect(throws: POSIXError.self) {
            try LoopGroup(configuration) { configuration, count in
                guard made.count < 3 else { throw POSIXError(.EMFILE) }
                made.append(try CurlLoop(configuration, shareOf: count, options: OptionCheck()))
                return made[made.count - 1]
            }
        }
        #expect(error?.code == .EMFILE)
        #expect(made.count == 3)
        for loop in made { await loop.waitUntilClosed() }
    }

    #if canImport(Glibc)
        /// In a child process, which cannot create threads for a while.
        @Test(.timeLimit(.minutes(3)))
        func `a transport without a thread fails each request and opens no descriptors`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                let url = try #require(URL(string: "http://127.0.0.1:1/"))
                // Loads libraries that are loaded on first use.
                _ = try? await CurlTransport().send(TransportRequest(URLRequest(url: url)))
                let usual = try setDefaultStack(1 << 47)
                let before = TransportConformance.Footprint.current().descriptors
                let transports = (0..<50).map { _ in CurlTransport() }
                let after = TransportConformance.Footprint.current().descriptors
                _ = try setDefaultStack(usual)
                #expect(after < before + 50)
                let error = await #expect(throws: URLError.self) {
                    try await transports[0].send(TransportRequest(URLRequest(url: url)))
                }
                #expect((error?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EAGAIN)
            }
        }
    #endif

    @Test func `warming up opens connections that later requests reuse`() async throws {
        // No request is answered before all three have arrived, so none can reuse another's
        // connection.
        let gate = DispatchSemaphore(value: 0)
        let server = try MockServer { request in
            if request.method == "HEAD" { gate.wait() }
            return .text("x")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let url = server.url
        let warming = Task { try await transport.warmUp(url, connections: 3) }
        _ = try await server.waitForRequests(3)
        for _ in 0..<3 { gate.signal() }
        try await warming.value
        #expect(server.connectionCount == 3)
        let response = try await transport.send(.patient(server))
        #expect(response.metrics.isReusedConnection == true)
        #expect(server.connectionCount == 3)
    }
}

#if canImport(Glibc)
    /// Sets the default stack size of new threads, in bytes, and returns the earlier one. A size
    /// beyond the address space makes creating threads fail.
    private func setDefaultStack(_ size: Int) throws -> Int {
        typealias Access = @convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> Int32
        func access(_ name: String) throws -> Access {
            unsafeBitCast(try #require(dlsym(nil, name)), to: Access.self)
        }
        var attributes = pthread_attr_t()
        var usual = 0
        try #require(access("pthread_getattr_default_np")(&attributes) == 0)
        defer { pthread_attr_destroy(&attributes) }
        try #require(pthread_attr_getstacksize(&attributes, &usual) == 0)
        try #require(pthread_attr_setstacksize(&attributes, size) == 0)
        try #require(access("pthread_setattr_default_np")(&attributes) == 0)
        return usual
    }
#endif

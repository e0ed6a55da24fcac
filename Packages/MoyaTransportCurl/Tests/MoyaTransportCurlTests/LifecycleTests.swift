import Foundation
@_spi(MoyaInternals) import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LifecycleTests {
    private func request(_ server: MockServer, _ path: String = "/get") -> TransportRequest {
        TransportRequest(.patient(server.url.appendingPathComponent(path)))
    }

    /// In a process of its own, whose descriptors and threads nobody else has.
    @Test(.timeLimit(.minutes(15)))
    func `a transport that goes closes its connections, descriptors and thread`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            let request = TransportRequest(.patient(server.url.appendingPathComponent("get")))
            // What libcurl, Foundation and the server open once for the process.
            _ = try await CurlTransport().send(request)
            try await server.waitUntilDisconnected()
            let before = TransportConformance.Footprint.current()
            for _ in 0..<100 { _ = try await CurlTransport().send(request) }
            try await server.waitUntilDisconnected()
            // By and by, and so do the server's. A few are the runtime's, which opens them when it likes: a hundred
            // that stayed would be more.
            try await until {
                let after = TransportConformance.Footprint.current()
                return after.descriptors <= before.descriptors + 20
                    && after.threads <= before.threads + 20
            }
        }
    }

    /// In a process of its own, which runs out of descriptors in the middle.
    @Test(.timeLimit(.minutes(15)))
    func `loops that are made before one cannot be made are given back`() async throws {
        await #expect(processExitsWith: .success) {
            // Loads what has to be loaded.
            CurlTransport().shutdown()
            try ResourceLimit.descriptors.set(64)
            /// Counted without one more descriptor, which there may not be.
            func openCount() -> Int { (Int32(0)..<64).count { fcntl($0, F_GETFD) >= 0 } }
            var filled: [Int32] = []
            while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 {
                filled.append(descriptor)
            }
            for descriptor in filled.prefix(5) { close(descriptor) }
            let before = openCount()
            var configuration = CurlTransport.Configuration()
            configuration.threads = 8
            let transport = try CurlTransport(configuration: configuration)
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(URLRequest(url: url)))
            }
            #expect(error?.code == .unknown)
            // The threads of the loops give them back by and by.
            while openCount() > before { usleep(1000) }
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a shutdown amid sends and cancels ends each of them once`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        // Other tests of this process need some as well.
        configuration.maxConnections = 100
        for _ in 0..<5 {
            let transport = try CurlTransport(configuration: configuration)
            let request = request(server)
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

    @Test(.timeLimit(.minutes(15)))
    func `a shutdown ends uploads and streams that are under way`() async throws {
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
    @Test func `a request's time begins with it, whatever its task has done before`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = request(server, "/stall")
        let sent = Locked(UInt64.max)
        let task = Task {
            try await withTaskExecutorPreference(transport.taskExecutor) {
                usleep(20_000)
                sent.withLock { $0 = LoopClock.now() }
                return try await transport.send(request)
            }
        }
        _ = try await server.waitForRequests(1)
        let started = try await transport.firstLoop().perform { $0.active.first?.transfer?.started }
        #expect(try #require(started) >= sent.withLock { $0 })
        task.cancel()
        _ = await task.result
    }

    @Test func `shutdown cancels what is under way and refuses what comes`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = request(server, "/stall")
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

    @Test func `several threads share what one has too much of`() async throws {
        // More than two threads begin before they ask for a third.
        let count = 160
        let gate = DispatchSemaphore(value: 0)
        let server = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 3
        let transport = try CurlTransport(configuration: configuration)
        let request = request(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.send(request).head.statusCode }
            }
            _ = try await server.waitForRequests(count)
            for loop in try transport.allLoops() {
                #expect(try await loop.perform { $0.active.count } > 0)
            }
            for _ in 0..<count { gate.signal() }
            for try await status in group { #expect(status == 200) }
        }
        transport.shutdown()
        try await server.waitUntilDisconnected()
    }

    @Test func `a transport has as many threads as it is told to have`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 3
        let transport = try CurlTransport(configuration: configuration)
        var threads: Set<UInt> = []
        for loop in try transport.allLoops() {
            threads.insert(try await loop.perform { _ in Self.currentThread() })
        }
        #expect(threads.count == 3)
    }

    @Test func `connections may be opened before they are needed`() async throws {
        // Answers nobody before all three have asked, so that none can use another's connection.
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
        let response = try await transport.send(request(server))
        #expect(response.metrics.isReusedConnection == true)
        #expect(server.connectionCount == 3)
    }

    @Test func `a task may live on the transport's own thread`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = request(server)
        let threads = try await withTaskExecutorPreference(transport.taskExecutor) {
            var threads: Set<UInt> = []
            for _ in 0..<20 {
                _ = try await transport.send(request)
                threads.insert(Self.currentThread())
            }
            return threads
        }
        #expect(threads.count == 1)
    }

    @Test func `a task on the transport's thread gets to its end after shutdown`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = request(server)
        let stall = self.request(server, "/stall")
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

    private static func currentThread() -> UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    // Older compilers cannot hand the path to the other process. Other systems tell less of its memory.
    #if compiler(>=6.3) && os(Linux)
        /// Sanitizers note something for every byte that was ever touched.
        private static let isSanitized = ["__tsan_init", "__asan_init"].contains {
            (name: String) in dlsym(dlopen(nil, RTLD_NOW), name) != nil
        }

        /// In a process of its own, whose memory nobody else uses. The server is in another one. With `MOYA_LARGE=1`,
        /// a million requests.
        @Test(
            .enabled(if: Nginx.isInstalled, "nginx is installed by scripts/bootstrap --tests"),
            .disabled(if: isSanitized, "the memory would be the sanitizer's"))
        func `many requests leave the memory flat`() async throws {
            let nginx = try await Nginx(.valid)
            await #expect(processExitsWith: .success) { [path = nginx.unixSocket.path as String] in
                var configuration = CurlTransport.Configuration()
                configuration.network.unixSocket = URL(fileURLWithPath: path)
                let transport = try CurlTransport(configuration: configuration)
                let url = try #require(URL(string: "http://api.example.test/"))
                let request = TransportRequest(.patient(url))
                let isLarge = ProcessInfo.processInfo.environment["MOYA_LARGE"] == "1"
                let count = (isLarge ? 1_000_000 : 40_000) / 3
                for _ in 0..<10_000 { _ = try await transport.send(request) }
                // What leaks grows each time. The system's own bookkeeping may grow once.
                var growths: [Int] = []
                for _ in 0..<3 {
                    let before = try Self.anonymousKiB
                    for _ in 0..<count { _ = try await transport.send(request) }
                    growths.append(try Self.anonymousKiB - before)
                }
                // 16 bytes for each would be more.
                #expect(try #require(growths.min()) < count * 16 / 1024, "\(growths) KiB")
            }
        }

        /// The memory that is this process's alone: what it has read of its files comes and goes with others.
        private static var anonymousKiB: Int {
            get throws {
                let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
                let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
                return try #require(
                    line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            }
        }
    #endif
}

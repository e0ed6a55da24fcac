import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels before a connection is established. In child processes, to count their descriptors. Only
/// the cancel can end these exchanges within the test's time.
@Suite(.timeLimit(.minutes(3))) struct EarlyCancelTests {
    private static func configuration() -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.connectTimeout = 120
        configuration.threads = 1
        return configuration
    }

    /// Sends a request, and cancels it when `isThere` returns `true`. The transport has to close
    /// its sockets while it lives, while `meanwhile` is called repeatedly.
    private static func expectCancel(
        _ url: String, _ configuration: CurlTransport.Configuration,
        when isThere: @Sendable (_ openedCount: Int) -> Bool,
        meanwhile: (CurlTransport) async throws -> Void = { _ in }
    ) async throws {
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(.patient(try #require(URL(string: url))))
        // Opens the sockets that are opened once for each process.
        try await connectInVain(transport)
        let before = sockets()
        let task = Task { try await transport.send(request) }
        try await until { isThere(sockets() - before) }
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await until {
            try await meanwhile(transport)
            return sockets() <= before
        }
        #expect(try await transport.firstLoop().perform { $0.handles.active.count } == 0)
    }

    private static func connectInVain(_ transport: CurlTransport) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        _ = try? await transport.send(TransportRequest(URLRequest(url: url)))
    }

    private static func sockets() -> Int {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        return names.count { name in
            var status = stat()
            guard let number = Int32(name), fstat(number, &status) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// A server that counts connections whose first bytes have arrived, and does not respond.
    private static func silentServer(_ arrived: Counter) throws -> RawServer {
        try RawServer { connection in
            _ = connection.read()
            arrived.next()
            connection.waitForClient()
        }
    }

    @Test func `cancelling while connecting frees the socket`() async throws {
        await #expect(processExitsWith: .success) {
            let listener = try DeafListener()
            try await Self.expectCancel(
                "http://127.0.0.1:\(listener.port)/", Self.configuration(), when: { $0 == 1 })
        }
    }

    @Test func `cancelling a TLS handshake with a silent server frees the socket`() async throws {
        await #expect(processExitsWith: .success) {
            let arrived = Counter()
            let server = try Self.silentServer(arrived)
            try await Self.expectCancel(
                "https://127.0.0.1:\(server.port)/", Self.configuration(),
                when: { _ in arrived.count == 1 })
        }
    }

    @Test func `cancelling during a DNS-over-HTTPS lookup frees the sockets`() async throws {
        await #expect(processExitsWith: .success) {
            let arrived = Counter()
            let server = try Self.silentServer(arrived)
            var configuration = Self.configuration()
            configuration.network.dnsOverHTTPS = URL(string: "https://127.0.0.1:\(server.port)/")
            // One lookup for each address family, on separate connections or, with newer versions,
            // one after the other on the same connection. Both ends of a connection are sockets of
            // this process. libcurl checks for dead connections once a second, before it opens
            // another.
            try await Self.expectCancel(
                "http://moya.test/", configuration,
                when: { arrived.count > 0 && $0 == 2 * arrived.count },
                meanwhile: { try await Self.connectInVain($0) })
        }
    }

    #if os(Linux)
        @Test(.requires(.ownNameServer))
        func `cancelling while the system resolves a name frees the request`() async throws {
            await #expect(processExitsWith: .success) {
                let names = try #require(SilentNameServer())
                let configuration = Self.configuration()
                try await Self.expectCancel(
                    "http://moya.test/", configuration, when: { _ in names.isAsked },
                    meanwhile: { _ in names.answer() })
            }
        }
    #endif
}

#if os(Linux)
    extension Requirement {
        fileprivate static let ownNameServer = Requirement(
            "a mount namespace of its own",
            remedy: "Run the tests as root, outside of a container that forbids it.",
            isMet: SilentNameServer.isPermitted)
    }

    /// A name server for this process only, which responds when the test tells it to.
    private final class SilentNameServer: Sendable {
        private struct State {
            var questions: [(bytes: [UInt8], from: sockaddr_in)] = []
            var answers = false
        }

        private let descriptor: Int32
        private let state = Locked(State())

        static let isPermitted: Bool = {
            let (isPermitted, isDone) = (Locked(false), DispatchSemaphore(value: 0))
            // In a thread that ends, so the change affects no other thread.
            Thread.detachNewThread {
                isPermitted.withLock { $0 = geteuid() == 0 && mountForItself() }
                isDone.signal()
            }
            isDone.wait()
            return isPermitted.withLock { $0 }
        }()

        /// Gives the calling thread, and threads that it creates, a private mount namespace.
        private static func mountForItself() -> Bool {
            typealias Unshare = @convention(c) (Int32) -> Int32
            // Glibc's Swift module lacks this function. The flag is CLONE_NEWNS.
            guard let symbol = dlsym(nil, "unshare") else { return false }
            return unsafeBitCast(symbol, to: Unshare.self)(0x20000) == 0
                && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
        }

        /// Starts the server for threads that the calling thread creates from now on. Returns `nil`
        /// if the process may not mount files.
        init?() {
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("names-\(UUID().uuidString)")
            let text = "nameserver 127.0.0.77\noptions timeout:30 attempts:5\n"
            let descriptor = makeSocket(AF_INET, takesDatagrams: true)
            self.descriptor = descriptor
            var address = sockaddr_in(loopback: 53)
            address.sin_addr.s_addr = UInt32(0x7F00_004D).bigEndian
            let isBound = address.asSystemAddress { bind(descriptor, $0, $1) == 0 }
            guard isBound, (try? Data(text.utf8).write(to: file)) != nil, Self.mountForItself(),
                mount(file.path, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0
            else { return nil }
            unlink(file.path)
            Thread.detachNewThread { [self] in serve() }
        }

        var isAsked: Bool { state.withLock { !$0.questions.isEmpty } }

        /// Responds to every query with NXDOMAIN.
        func answer() {
            let questions = state.withLock { state in
                state.answers = true
                return state.questions
            }
            for question in questions { deny(question) }
        }

        private func serve() {
            var buffer = [UInt8](repeating: 0, count: 512)
            while true {
                var from = sockaddr_in()
                let count = from.asSystemAddress {
                    recvfrom(descriptor, &buffer, buffer.count, 0, $0, &$1)
                }
                guard count > 3 else { return }
                let question = (bytes: Array(buffer.prefix(count)), from: from)
                let answers = state.withLock { state in
                    state.questions.append(question)
                    return state.answers
                }
                if answers { deny(question) }
            }
        }

        private func deny(_ question: (bytes: [UInt8], from: sockaddr_in)) {
            var (bytes, from) = question
            // Marks the message as a response with the code NXDOMAIN (RFC 1035, section 4.1.1).
            bytes[2] |= 0x80
            bytes[3] = 0x83
            _ = from.asSystemAddress { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        }
    }
#endif

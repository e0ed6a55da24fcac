#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTestSupport
    import Testing

    @testable import MoyaTransportFoundation

    /// The requests run in a child process with a low descriptor limit, separate from the server.
    @Suite struct DescriptorTests {
        @Test func `300 requests at once succeed in a process that may open 64 descriptors`()
            async throws
        {
            let gate = DispatchSemaphore(value: 0)
            let server = try MockServer { _ in
                gate.wait()
                gate.signal()
                return .text("hello")
            }
            defer {
                gate.signal()
                server.stop()
            }
            let opening = Task {
                // All permitted connections are open at the same time: a quarter of the
                // descriptors.
                _ = try await server.waitForRequests(16)
                gate.signal()
            }
            let url = server.url.absoluteString
            await #expect(processExitsWith: .success) { [url = url as String] in
                InheritedSockets.close()
                try ResourceLimit.descriptors.set(64)
                let request = TransportRequest(
                    URLRequest(url: try #require(URL(string: url)), timeoutInterval: 120))
                let transport = FoundationTransport()
                let failures = await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<300 {
                        group.addTask {
                            do {
                                for _ in 0..<7 { _ = try await transport.send(request) }
                                return nil
                            } catch { return "\(error)" }
                        }
                    }
                    return await group.reduce(into: [String]()) { all, next in
                        if let next { all.append(next) }
                    }
                }
                #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(2))")
            }
            try await opening.value
        }

        @Test func `A child process of Foundation's Process inherits no connection`() async {
            await #expect(processExitsWith: .success) {
                InheritedSockets.close()
                let server = try MockServer { _ in .text("hello") }
                let transport = FoundationTransport()
                _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
                let (folder, files) = ("/proc/self/fd", FileManager.default)
                let sockets = try files.contentsOfDirectory(atPath: folder)
                    .compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
                    .filter { $0.hasPrefix("socket:") }
                #expect(!sockets.isEmpty)
                let (process, output) = (Process(), Pipe())
                process.executableURL = URL(fileURLWithPath: "/bin/ls")
                process.arguments = ["-l", folder]
                process.standardOutput = output
                try process.run()
                let list = String(
                    decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                #expect(list.contains(" -> "))
                #expect(sockets.filter { list.contains($0) } == [])
            }
        }

        @Test func `a session may open a quarter of the process's descriptors to one host`() async {
            await #expect(processExitsWith: .success) {
                try ResourceLimit.descriptors.set(64)
                for (wanted, allowed) in [(3, 3), (16, 16), (17, 16), (Int.max, 16)] {
                    let configuration = URLSessionConfiguration.ephemeral
                    configuration.httpMaximumConnectionsPerHost = wanted
                    SessionPlatform().adapt(configuration)
                    #expect(configuration.httpMaximumConnectionsPerHost == allowed)
                }
            }
        }
    }
#endif

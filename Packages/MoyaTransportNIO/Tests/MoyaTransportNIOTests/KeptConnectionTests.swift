#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOConcurrencyHelpers
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct KeptConnectionTests {
        /// RFC 9110, section 9.2.2: a client must not automatically repeat a request with a
        /// non-idempotent method, unless it knows that the request was not applied.
        @Test func `a POST on a kept connection that the server resets is sent once`() async throws
        {
            let requests = NIOLockedValueBox(0)
            let server = try RawServer { connection in
                for number in 1... {
                    let request = connection.read(until: "\r\n\r\n")
                    guard !request.isEmpty else { return }
                    requests.withLockedValue { $0 += 1 }
                    guard number == 1 else { return connection.resetAtEnd() }
                    connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                }
            }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            var request = URLRequest(url: server.url)
            _ = try await transport.send(TransportRequest(request))
            request.httpMethod = "POST"
            do {
                _ = try await transport.send(TransportRequest(request))
                Issue.record("The POST got a response.")
            } catch let error as URLError {
                #expect(error.code == .networkConnectionLost)
            }
            #expect(requests.withLockedValue { $0 } == 2)
        }

        #if os(Linux)
            /// POSIX: a descriptor with the flag FD_CLOEXEC is closed in a process that `exec`
            /// starts.
            @Test func `child processes do not inherit the sockets of connections`() async throws {
                let server = try MockServer { _ in .text("kept") }
                defer { server.stop() }
                let transport = HTTPClientTransport()
                _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
                let sockets = try Self.sockets(connectedTo: server.port)
                #expect(sockets.count == 1)
                let inherited = try Self.descriptorsOfChild()
                for socket in sockets { #expect(!inherited.contains(socket), "\(socket)") }
            }

            /// The sockets of this process that are connected to `port`, as `socket:[inode]`.
            private static func sockets(connectedTo port: Int) throws -> [String] {
                let folder = "/proc/self/fd"
                return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                    name -> String? in
                    var address = sockaddr_in()
                    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                    let result = withUnsafeMutablePointer(to: &address) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                            getpeername(Int32(name) ?? -1, pointer, &size)
                        }
                    }
                    guard result == 0, Int(UInt16(bigEndian: address.sin_port)) == port else {
                        return nil
                    }
                    return try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "\(folder)/\(name)")
                }
            }

            /// Lists the descriptors of a new process. `posix_spawn` is used directly,
            /// because Foundation's `Process` may close descriptors itself.
            private static func descriptorsOfChild() throws -> String {
                let output = FileManager.default.temporaryDirectory.appendingPathComponent(
                    "moya-nio-\(UInt64.random(in: 0...UInt64.max))")
                defer { try? FileManager.default.removeItem(at: output) }
                let command = "ls -l /proc/self/fd > '\(output.path)'"
                var arguments: [UnsafeMutablePointer<CChar>?] = []
                for argument in ["/bin/sh", "-c", command] { arguments.append(strdup(argument)) }
                arguments.append(nil)
                defer { for argument in arguments { free(argument) } }
                var process = pid_t()
                let result = posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
                guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .EIO) }
                var status: Int32 = 0
                waitpid(process, &status, 0)
                return try String(contentsOf: output, encoding: .utf8)
            }
        #endif
    }
#endif

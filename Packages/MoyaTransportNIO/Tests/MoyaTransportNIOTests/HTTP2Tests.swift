#if AsyncHTTPClient && MockServer
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOHTTP2
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct HTTP2Tests {
        private func code(_ body: () async throws -> TransportResponse) async -> URLError.Code? {
            do {
                _ = try await body()
                return nil
            } catch { return (error as? URLError)?.code }
        }

        /// Tomcat closes the connection of a client that sends small DATA frames without
        /// END_STREAM (`overheadDataThreshold`). nghttp2 sets the flag on the last frame with data.
        @Test(arguments: [false, true])
        func `the last DATA frame of a small body ends the stream`(reportsProgress: Bool)
            async throws
        {
            let frames = NIOLockedValueBox<[String]>([])
            let server = try await FrameServer { frame, stream in
                if case .data(let data) = frame {
                    let description = "\(data.data.readableBytes) \(data.endStream)"
                    frames.withLockedValue { $0.append(description) }
                }
                if frame.endsStream {
                    stream.writeAndFlush(FrameServer.Payload.response(204, endStream: true))
                        .whenFailure { _ in }
                }
            }
            defer { server.stop() }
            var request = server.request("POST", body: .data(Data("four".utf8)))
            if reportsProgress { request.progress = { _ in } }
            let response = try await server.transport().send(request)
            #expect(response.head.statusCode == 204)
            #expect(frames.withLockedValue { $0 } == ["4 true"])
        }

        /// RFC 9113, section 8.1: a client must not discard a response because the request is not
        /// complete.
        @Test(arguments: [200, 413])
        func `shutdown returns after an upload that is answered before its end`(status: Int)
            async throws
        {
            let server = try await FrameServer { frame, stream in
                guard case .headers = frame else { return }
                stream.write(FrameServer.Payload.response(status)).whenFailure { _ in }
                stream.writeAndFlush(FrameServer.Payload.text("early", endStream: true))
                    .whenFailure { _ in }
            }
            defer { server.stop() }
            let (pieces, piece) = AsyncStream<Data>.makeStream()
            piece.yield(Data(count: 100))
            let transport = server.transport()
            let response = try await transport.send(
                server.request("POST", body: .stream(RequestBodyStream { pieces })))
            #expect(response.head.statusCode == status)
            guard case .data(let body) = response.body else { throw URLError(.unknown) }
            #expect(String(decoding: body, as: UTF8.self) == "early")
            await transport.shutdown()
        }

        /// RFC 9113, section 8.7: a refused stream was not processed, so the request may be sent
        /// again, whatever its method.
        @Test func `a POST whose stream is refused is sent once more`() async throws {
            let count = NIOLockedValueBox(0)
            let server = try await FrameServer { frame, stream in
                guard frame.endsStream else { return }
                let number = count.withLockedValue { count in
                    count += 1
                    return count
                }
                stream.writeAndFlush(
                    number == 1
                        ? FrameServer.Payload.rstStream(.refusedStream)
                        : .response(204, endStream: true)
                ).whenFailure { _ in }
            }
            defer { server.stop() }
            let request = server.request("POST", body: .data(Data("four".utf8)))
            let response = try await server.transport().send(request)
            #expect(response.head.statusCode == 204)
            #expect(count.withLockedValue { $0 } == 2)
        }

        @Test func `a POST whose streams are all refused is sent twice`() async throws {
            let count = NIOLockedValueBox(0)
            let server = try await FrameServer { frame, stream in
                guard frame.endsStream else { return }
                count.withLockedValue { $0 += 1 }
                stream.writeAndFlush(FrameServer.Payload.rstStream(.refusedStream))
                    .whenFailure { _ in }
            }
            defer { server.stop() }
            let request = server.request("POST", body: .data(Data("four".utf8)))
            let transport = server.transport()
            await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(count.withLockedValue { $0 } == 2)
        }

        /// RFC 9113, section 7: other codes do not say whether the request was processed.
        @Test func `a POST whose stream is cancelled by the server is sent once`() async throws {
            let count = NIOLockedValueBox(0)
            let server = try await FrameServer { frame, stream in
                guard frame.endsStream else { return }
                count.withLockedValue { $0 += 1 }
                stream.writeAndFlush(FrameServer.Payload.rstStream(.cancel)).whenFailure { _ in }
            }
            defer { server.stop() }
            let request = server.request("POST", body: .data(Data("four".utf8)))
            let transport = server.transport()
            #expect(await code { try await transport.send(request) } == .networkConnectionLost)
            #expect(count.withLockedValue { $0 } == 1)
        }

        /// RFC 9113, section 6.8: the last stream's number of a GOAWAY frame separates the requests
        /// that the server may have processed from those it has not.
        @Test func `a POST that a GOAWAY excludes is sent again`() async throws {
            let server = try NIOMockServer(.init(tls: .init())) { _ in .text("done") }
            defer { server.stop() }
            server.inject(MockFault(.goAway(isProcessed: false), at: .requestBody))
            let transport = transport()
            let request = post(to: server)
            #expect(try await transport.send(request).head.statusCode == 200)
        }

        @Test func `requests that meet a connection's GOAWAY are not reported as cancelled`()
            async throws
        {
            let server = try NIOMockServer(.init(tls: .init())) { _ in .text("done") }
            defer { server.stop() }
            server.inject(MockFault(.goAway(), at: .responseBody(after: 1)), times: 1000)
            let transport = transport()
            let request = post(to: server)
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        for _ in 0..<40 {
                            let code = await code { try await transport.send(request) }
                            if code != nil { return code }
                        }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(!codes.contains(.cancelled), "\(codes)")
        }

        private func transport() -> HTTPClientTransport {
            var configuration = HTTPClientTransport.defaultConfiguration
            configuration.tlsConfiguration?.certificateVerification = .none
            return HTTPClientTransport(configuration: configuration)
        }

        private func post(to server: NIOMockServer) -> TransportRequest {
            var request = URLRequest(url: server.url)
            request.httpMethod = "POST"
            return TransportRequest(request, body: .data(Data("four".utf8)))
        }
    }
#endif

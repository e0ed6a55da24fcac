#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTestSupport
    import OpenAPIRuntime
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// The points at which Apple's transport is tested with a cancelled task.
    enum CancellationPoint: CaseIterable {
        case beforeSending
        case beforeRequestBody
        case withinRequestBody
        case beforeResponse
        case beforeResponseBody
        case withinResponseBody
        case afterResponseBody
    }

    @Suite(.timeLimit(.minutes(5))) struct CancellationTests {
        /// A request body whose chunks the test releases.
        private struct Gate {
            typealias Chunks = AsyncStream<ArraySlice<UInt8>>

            let chunks: Chunks
            let open: Chunks.Continuation
            let demands = Recorder<Void>()

            init() { (chunks, open) = Chunks.makeStream() }

            var body: HTTPBody {
                let stream = Chunks(unfolding: { [chunks, demands] in
                    demands.add(())
                    for await chunk in chunks { return chunk }
                    return nil
                })
                return HTTPBody(stream, length: .known(4), iterationBehavior: .single)
            }
        }

        @Test(arguments: Carried.allCases, CancellationPoint.allCases)
        func `cancelling the task ends the exchange, unless the body is complete`(
            kind: Carried, point: CancellationPoint
        ) async throws {
            let server = try MockServer { _ in
                let response = MockResponse(body: .chunked([Data("Hey".utf8), Data("!".utf8)]))
                return switch point {
                case .afterResponseBody: response
                case .beforeResponse: .silence(then: .stall)
                // The rest of the body never arrives.
                default: response.truncated(after: 3, then: .stall)
                }
            }
            defer { server.stop() }
            let gate = Gate()
            let (reached, reach) = AsyncStream<Void>.makeStream()
            let (cancelled, cancel) = AsyncStream<Void>.makeStream()
            let task = Task {
                func pause(at place: CancellationPoint) async {
                    guard place == point else { return }
                    reach.yield()
                    // Not cancelled with the task: a detached task waits.
                    await Task.detached { for await _ in cancelled { break } }.value
                }
                await pause(at: .beforeSending)
                let transport = OpenAPITransport(kind.transport, timeoutInterval: 120)
                let (_, body) = try await transport.send(
                    HTTPRequest(
                        method: .post, scheme: nil, authority: nil, path: "/a",
                        headerFields: [.accept: "text/plain"]),
                    body: gate.body,
                    baseURL: server.url, operationID: "unused")
                await pause(at: .beforeResponseBody)
                var text = ""
                for try await chunk in try #require(body) {
                    text += String(decoding: chunk, as: UTF8.self)
                    await pause(at: .withinResponseBody)
                }
                await pause(at: .afterResponseBody)
                return text
            }
            switch point {
            case .beforeRequestBody:
                try await until { gate.demands.count == 1 }
            case .withinRequestBody:
                gate.open.yield([1, 2])
                try await until { gate.demands.count == 2 }
            case .beforeResponse:
                gate.open.yield([1, 2, 3, 4])
                gate.open.finish()
                _ = try await server.waitForRequests(1)
            case .beforeSending, .beforeResponseBody, .withinResponseBody, .afterResponseBody:
                gate.open.yield([1, 2, 3, 4])
                gate.open.finish()
                try await waitForEvent(in: reached)
            }
            task.cancel()
            cancel.finish()
            if point == .afterResponseBody {
                #expect(try await task.value == "Hey!")
            } else {
                #expect(await urlErrorCode { try await task.value } == .cancelled)
            }
            // A connection whose exchange is complete may stay open.
            if point != .afterResponseBody { try await server.waitUntilDisconnected() }
            gate.open.finish()
        }
    }
#endif

import MoyaInternals

#if Tracing
    import Foundation
    import InMemoryTracing
    import MoyaCore
    @testable import MoyaLayers
    import MoyaMockServer
    import MoyaTestSupport
    import MoyaTesting
    import Testing
    import Tracing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A tracer that keeps spans in memory, and propagates them as W3C Trace Context.
    private struct W3CTracer: Tracer {
        let memory = InMemoryTracer(
            idGenerator: .init(
                nextTraceID: { Self.nextWord() + Self.nextWord() },
                nextSpanID: { Self.nextWord() }))
        private static let random = Locked(SeededGenerator("W3CTracer"))

        /// Returns 16 hexadecimal digits, never all zero.
        private static func nextWord() -> String {
            let digits = String(random.withLock { $0.next() | 1 }, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext,
            ofKind kind: SpanKind, at instant: @autoclosure () -> Instant, function: String,
            file fileID: String, line: UInt
        ) -> InMemorySpan {
            memory.startSpan(
                operationName, context: context(), ofKind: kind, at: instant(),
                function: function, file: fileID, line: line)
        }

        func forceFlush() {}

        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {}

        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            guard let span = context.inMemorySpanContext else { return }
            injector.inject(
                "00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
        }
    }

    @Suite(.seeded) struct TracingTransportTests {
        private let tracer = InMemoryTracer()

        @Test func `an exchange is a client span whose identifier is sent to the server`()
            async throws
        {
            let stub = StubTransport { request in
                var response = try TransportResponse.test(request)
                response.metrics.remoteAddress = "192.0.2.1"
                return response
            }
            _ = try await stub.tracing(with: tracer).send(
                .test("GET", "https://host.test/a?token=hush&b=1"))
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.operationName == "GET")
            #expect(span.kind == .client)
            #expect(span.status == nil)
            var attributes: [String: String] = [:]
            span.attributes.forEach { attributes[$0] = "\($1)" }
            #expect(attributes["url.full"]?.contains("https://host.test/a?token=***&b=1") == true)
            #expect(
                Set(attributes.keys) == [
                    "http.request.method", "server.address", "server.port", "url.full",
                    "http.response.status_code", "network.protocol.version",
                    "network.peer.address",
                ])
            let fields = stub.requests.first?.urlRequest.allHTTPHeaderFields ?? [:]
            #expect(fields.values.contains(span.spanID))
        }

        @Test func `the span of an attempt is a child of the span of the whole call`() async throws
        {
            let stub = StubTransport(.response(503), .response(200))
            let transport = stub.tracing(with: tracer)
                .retrying(clock: TestClock(movesByItself: true)).tracing(with: tracer)
            _ = try await transport.send(.test())
            let spans = tracer.finishedSpans
            let call = try #require(spans.last)
            #expect(spans.count == 3)
            #expect(spans.dropLast().allSatisfy { $0.parentSpanID == call.spanID })
        }

        @Test func `the span of an attempt counts the requests that were sent before it`()
            async throws
        {
            let answers = Recorder<Void>()
            let stub = StubTransport { request in
                var response = try TransportResponse.test(request, answers.add(()) < 3 ? 503 : 200)
                response.metrics.redirectCount = answers.count == 3 ? 2 : 0
                return response
            }
            let transport = stub.tracing(with: tracer)
                .retrying(clock: TestClock(movesByItself: true)).tracing(with: tracer)
            _ = try await transport.send(.test())
            let counts = tracer.finishedSpans.map { span in
                var count: Int64?
                span.attributes.forEach { name, value in
                    if name == "http.request.resend_count", case .int64(let number) = value {
                        count = number
                    }
                }
                return count
            }
            // Two retries and two redirects. The span of the whole call has the redirects alone.
            #expect(counts == [nil, 1, 4, 2])
        }

        @Test(arguments: Carrier.allCases)
        func `a server receives the span in a W3C traceparent field`(kind: Carrier)
            async throws
        {
            let server = try MockServer { _ in .text("hello") }
            defer { server.stop() }
            let tracer = W3CTracer()
            let transport = kind.transport.tracing(with: tracer)
            _ = try await transport.send(.test("GET", server.url.absoluteString))
            let received = try #require(server.requests.first?.value(for: "traceparent"))
            #expect(received.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/) != nil)
            let span = try #require(tracer.memory.finishedSpans.first)
            #expect(received == "00-\(span.traceID)-\(span.spanID)-01")
        }

        @Test func `a span records an error without descriptions, URLs and causes`() async throws {
            let secret = "s3cret"
            let errors: [any Error] = [
                URLError(
                    .timedOut,
                    userInfo: [
                        NSLocalizedDescriptionKey: secret,
                        NSURLErrorFailingURLErrorKey: url("http://h.test/?token=\(secret)"),
                    ]),
                TokenRefreshError(
                    .failed,
                    cause: NSError(
                        domain: "cause", code: 1, userInfo: [NSLocalizedDescriptionKey: secret])),
            ]
            for error in errors {
                let stub = StubTransport { _ in throw error }
                _ = await thrown { try await stub.tracing(with: tracer).send(.test()) }
            }
            let recorded = tracer.finishedSpans.flatMap(\.errors).map(\.error)
            #expect(recorded.count == 2)
            #expect((recorded.first as? URLError)?.code == .timedOut)
            #expect((recorded.last as? NSError)?.domain == (errors[1] as NSError).domain)
            for error in recorded {
                let bridged = error as NSError
                #expect(
                    !"\(error) \(error.localizedDescription) \(bridged.userInfo)".contains(secret))
            }
        }

        @Test(arguments: [(404, "404"), (500, "500")])
        func `an error status of the response is the error of its span`(status: Int, type: String)
            async throws
        {
            _ = try await StubTransport(.response(status)).tracing(with: tracer).send(.test())
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.status?.code == .error)
            #expect(span.attributes["error.type"]?.toSpanAttribute() == .string(type))
        }

        @Test func `the span of a named request has the name after the method`() async throws {
            var request = TransportRequest.test("GET")
            request.context.name = "userProfile"
            _ = try await StubTransport(.response(200)).tracing(with: tracer).send(request)
            #expect(tracer.finishedSpans.map(\.operationName) == ["GET userProfile"])
        }

        @Test func `a failed exchange ends its span with an error`() async throws {
            let stub = StubTransport(.failure(.timedOut))
            #expect(
                await urlErrorCode { try await stub.tracing(with: tracer).send(.test("SPY")) }
                    == .timedOut)
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.operationName == "HTTP")
            #expect(span.status?.code == .error)
            #expect(tracer.activeSpans.isEmpty)
        }

        @Test func `a span ends when the streamed body of its response ends`() async throws {
            let source = GatedStreamTransport()
            let response = try await source.tracing(with: tracer).send(.test(destination: .stream))
            #expect(tracer.finishedSpans.isEmpty)
            source.finish()
            #expect(try await response.streamed() == "onetwo")
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.status == nil)
            #expect(
                span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
            #expect(tracer.activeSpans.isEmpty)
        }

        @Test func `a streamed body that breaks off ends its span with an error`() async throws {
            let source = GatedStreamTransport()
            let response = try await source.tracing(with: tracer).send(.test(destination: .stream))
            source.finish(URLError(.networkConnectionLost))
            #expect(await urlErrorCode { try await response.streamed() } == .networkConnectionLost)
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.status?.code == .error)
            #expect(
                span.attributes["error.type"]?.toSpanAttribute() == .string("connection_lost"))
            #expect(
                span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
        }

        @Test func `a span ends when its streamed body is abandoned or released`() async throws {
            let source = GatedStreamTransport()
            let transport = source.tracing(with: tracer)
            let response = try await transport.send(.test(destination: .stream))
            for try await _ in try #require(response.stream) { break }
            _ = try await transport.send(.test(destination: .stream))
            #expect(tracer.finishedSpans.count == 2)
            #expect(tracer.activeSpans.isEmpty)
            #expect(source.stopCount == 2)
        }
    }
#endif

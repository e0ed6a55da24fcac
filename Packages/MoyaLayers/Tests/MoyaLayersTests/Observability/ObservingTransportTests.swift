import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ObservingTransportTests {
    private let clock = TestClock()

    @Test func `successful and failed exchanges are observed to begin and end once`() async throws {
        let events = Recorder<String>()
        let clock = clock
        let stub = StubTransport { request in
            clock.advance(by: 2)
            guard request.method == "GET" else { throw URLError(.timedOut) }
            return try .test(request)
        }
        let transport = stub.observing(clock: clock) { event in
            switch event {
            case .began(let request): events.record("began \(request.method)")
            case .ended(let request, let outcome, let duration):
                let word = (try? outcome.get()) == nil ? "failed" : "ended"
                events.record("\(word) \(request.method) \(duration)")
            default: Issue.record("A stub reports no \(event).")
            }
        }
        for method in ["GET", "PUT"] { _ = try? await transport.send(.test(method)) }
        #expect(
            events.items == ["began GET", "ended GET 2.0", "began PUT", "failed PUT 2.0"])
    }

    @Test(arguments: [nil, URLError(.networkConnectionLost)])
    func `an observed exchange with a streamed body ends with the body`(error: URLError?)
        async throws
    {
        let ends = Recorder<String>()
        let channel = ResponseBodyWriter(resume: {}, stop: {})
        let stub = StubTransport { request in
            var response = try TransportResponse.test(request)
            response.body = .stream(ResponseBodyStream(channel))
            return response
        }
        let transport = stub.observing(clock: clock) { event in
            guard case .ended(_, let outcome, let duration) = event else { return }
            let bytes = (try? outcome.get())?.metrics.bytesReceived
            ends.record("\(bytes ?? -1) \(duration)")
        }
        let response = try await transport.send(.test())
        #expect(ends.items == [])
        clock.advance(by: 3)
        var metrics = TransportMetrics()
        metrics.bytesReceived = 7
        let ending = ResponseBodyWriter.Ending(trailers: [], metrics: metrics)
        channel.finish(error.map { .failure($0) } ?? .success(ending))
        #expect(ends.items == [error == nil ? "7 3.0" : "-1 3.0"])
        withExtendedLifetime(response) {}
    }

    @Test func `a cancelled exchange is observed to end as cancelled`() async throws {
        let ends = Recorder<String?>()
        let gate = GatedTransport()
        let transport = gate.observing(clock: clock) { event in
            if case .ended(_, let outcome, _) = event {
                ends.record(SemanticConventions.errorType(outcome))
            }
        }
        let task = Task { try? await transport.send(.test()) }
        try await gate.waitForSends(1)
        task.cancel()
        _ = await task.value
        #expect(ends.items == ["cancelled"])
    }
}

@Suite struct SemanticConventionsTests {
    @Test func `metric dimensions have no URL and map an unknown method to _OTHER`() throws {
        let request = TransportRequest.test("SPY", "https://host.test/secret?token=hush")
        let dimensions = SemanticConventions(request: request).dimensions(
            of: .success(try .test(request, 404)))
        #expect(
            dimensions.map(\.0) == [
                "http.request.method", "server.address", "server.port", "http.response.status_code",
                "network.protocol.version", "error.type",
            ])
        #expect(dimensions.map(\.1) == ["_OTHER", "host.test", "443", "404", "1.1", "404"])
    }

    @Test(arguments: [
        (URLError.Code.timedOut, "timeout"), (.cannotFindHost, "name_resolution_error"),
        (.badServerResponse, "NSURLErrorDomain -1011"),
    ])
    func `error types are named by the semantic conventions`(code: URLError.Code, type: String) {
        #expect(SemanticConventions.errorType(.failure(URLError(code))) == type)
        #expect(
            SemanticConventions.errorType(.failure(RateLimitError(retryAfter: 1)))
                == "RateLimitError")
    }
}

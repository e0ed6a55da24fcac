import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Extreme numbers in configurations and requests, which must not crash the process.
@Suite(.timeLimit(.minutes(3))) struct ExtremeValueTests {
    /// Sends two requests. The second one runs with the state that the first one left.
    private func expectAnswers(
        timeout: TimeInterval = 120,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        change(&configuration)
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest(url: server.url)
        request.timeoutInterval = timeout
        for _ in 0..<2 {
            #expect(try await transport.send(TransportRequest(request)).head.statusCode == 200)
        }
    }

    @Test(arguments: [Int.max, .max - 1, .max / 2, Int(UInt32.max), 1, 0, -1, .min])
    func `extreme connection and thread limits are accepted`(number: Int) async throws {
        try await expectAnswers { $0.maxIdleConnections = number }
        try await expectAnswers { $0.maxConnections = number }
        try await expectAnswers { $0.maxConnectionsPerHost = number }
        try await expectAnswers { $0.threads = number }
        try await expectAnswers {
            $0.maxIdleConnections = number
            $0.maxConnections = number
            $0.maxConnectionsPerHost = number
            $0.minimumSpeed = .init(bytesPerSecond: number, duration: 600)
        }
    }

    @Test(arguments: [TimeInterval.greatestFiniteMagnitude, 1e18, 1e9, 600])
    func `extremely long timeouts in the configuration are accepted`(time: TimeInterval)
        async throws
    {
        try await expectAnswers {
            $0.connectTimeout = time
            $0.exchangeTimeout = time
            $0.firstByteTimeout = time
            $0.idleTimeout = time
            $0.connectionWaitTimeout = time
            $0.expectContinueTimeout = time
            $0.keepAlive = .init(idle: time, interval: time)
            $0.network.happyEyeballsTimeout = time
            $0.minimumSpeed = .init(bytesPerSecond: 1, duration: time)
        }
    }

    @Test(arguments: [
        TimeInterval.infinity, .nan, -Double.infinity, -1, 0, .greatestFiniteMagnitude,
    ])
    func `extreme and invalid request timeouts are accepted`(time: TimeInterval) async throws {
        try await expectAnswers(timeout: time)
    }

    @Test(arguments: [Int64.min, -2, -1])
    func `a request body with a negative length is an error`(length: Int64) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var upload = URLRequest(url: server.url)
        upload.httpMethod = "PUT"
        let stream = RequestBodyStream(length: length) {
            AsyncThrowingStream<Data, any Error> { $0.finish() }
        }
        let request = TransportRequest(upload, body: .stream(stream))
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(request)
        }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [Int.min, -1, 0])
    func `a body beyond a response limit of 0 or less is an error`(limit: Int) async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let request = TransportRequest(
            URLRequest(url: server.url), destination: .memory(limit: limit))
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(request)
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }
}

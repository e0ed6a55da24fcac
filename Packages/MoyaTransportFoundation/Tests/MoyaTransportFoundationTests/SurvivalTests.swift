import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportConformance
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Concurrent requests of every kind, with faults of the server and cancellations.
///
/// `MOYA_SURVIVAL_REQUESTS=100000` runs 100,000 requests.
@Suite struct SurvivalTests {
    private static var requestCount: Int {
        ProcessInfo.processInfo.environment["MOYA_SURVIVAL_REQUESTS"].flatMap(Int.init) ?? 750
    }

    @Test func `256 concurrent requests end with the result of their kind and leave no files`()
        async throws
    {
        try FileManager.default.createDirectory(
            at: Self.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: Self.folder) }
        try Data(repeating: 7, count: 300_000).write(to: Self.upload)
        var left = Self.requestCount
        // The server records its requests, so it is replaced from time to time.
        while left > 0 {
            try await round(of: min(left, 5_000))
            left -= 5_000
        }
        // Files of cancelled, failed and completed downloads have all been removed.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) == ["upload"])
    }

    private func round(of count: Int) async throws {
        let server = try MockServer(handler: Self.answer)
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.maxConnectionsPerHost = 256
        let transport = try FoundationTransport(configuration: configuration)
        try await TransportConformance.load(count, atOnce: 256) { id in
            await run(id, over: transport, to: server)
        }
        transport.shutdown()
        try await server.waitUntilDisconnected()
    }

    private func run(_ id: Int, over transport: FoundationTransport, to server: MockServer) async {
        let trial = Self.trials[id % Self.trials.count]
        guard let url = URL(string: server.url.absoluteString + trial.path) else {
            Issue.record("No URL for \(trial.path)")
            return
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = trial.method
        urlRequest.timeoutInterval = trial.timeout
        var request = TransportRequest(
            urlRequest, body: trial.body, destination: trial.isStream ? .stream : .memory(),
            credential: trial.credential)
        let download = Self.folder.appendingPathComponent("download-\(id)-\(server.port)")
        if trial.isDownload { request.destination = .file(download) }
        // Some requests use a separate transport.
        let isAlone = id % 97 == 0
        let carrier = isAlone ? FoundationTransport() : transport
        let task = Task { [request] in
            let response = try await carrier.send(request)
            if case .stream(let stream) = response.body {
                for try await _ in stream where trial.isLeft { break }
            }
            if case .file(let file) = response.body {
                try FileManager.default.removeItem(at: file)
            }
            return response
        }
        if trial.isCancelled {
            for _ in 0..<(id % 50) { await Task.yield() }
            if isAlone { carrier.shutdown() } else { task.cancel() }
        }
        do {
            let status = try await task.value.head.statusCode
            #expect(trial.statuses.contains(status), "\(trial.path): \(status)")
        } catch {
            let code = (error as? URLError)?.code ?? .unknown
            #expect(trial.errors.contains(code), "\(trial.method) \(trial.path): \(error)")
        }
    }
}

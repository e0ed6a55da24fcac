import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaMockServer
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Validation of recorded archives against the HAR 1.2 schema.
@Suite struct HARFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Records exchanges of many kinds, and returns the archive.
    private func archive(_ kind: Carrier) async throws -> URL {
        let server = try MockServer { request in
            switch request.path {
            case "/moved":
                .redirect(to: "/text?q=a%20b&token=hush").adding("Set-Cookie", "id=hush; Path=/")
            case "/bytes":
                MockResponse(body: .data(Data([0xFF, 0, 0xFE]))).adding("Content-Type", "image/x")
            case "/nothing": MockResponse(status: 204, body: .none)
            case "/cut": .text("half of it").truncated(after: 4)
            default: .text("grüße")
            }
        }
        defer { server.stop() }
        let file = folder.file().appendingPathExtension("har")
        var options = HAROptions()
        options.maximumBodySize = 1 << 10
        let recorder = try HARRecorder(to: file, options: options)
        let (ends, end) = AsyncStream<Void>.makeStream()
        let transport = kind.transport.recording(to: recorder).observing { event in
            if case .ended(let request, _, _) = event, case .stream = request.destination {
                end.yield()
            }
        }
        func request(
            _ method: String, _ path: String, _ body: RequestBody = .none,
            to destination: ResponseDestination = .memory()
        ) -> TransportRequest {
            .test(
                method, server.url.absoluteString + "/" + path,
                headers: [
                    "Cookie": "id=hush", "Content-Type": "application/x-www-form-urlencoded",
                ],
                body: body, destination: destination)
        }
        let upload = folder.file()
        try Data("from a file".utf8).write(to: upload)
        for request in [
            request("GET", "text?a=1&b&c=%C3%BC&a=2"), request("GET", "moved"),
            request("GET", "bytes"), request("HEAD", "text"), request("DELETE", "nothing"),
            request("POST", "text", .data(Data("name=value&password=hush".utf8))),
            request("PUT", "text", .file(upload)),
            request("GET", "text", to: .file(folder.file())), request("GET", "cut"),
        ] {
            _ = try? await transport.send(request)
        }
        let streamed = try await transport.send(request("GET", "text", to: .stream))
        _ = try await streamed.streamed()
        try await waitForEvent(in: ends)
        try recorder.finish()
        return file
    }

    @Test(arguments: Carrier.allCases)
    func `an archive of all kinds of exchanges is valid HAR 1.2`(kind: Carrier) async throws {
        let data = try Data(contentsOf: try await archive(kind))
        let json = try JSONSerialization.jsonObject(with: data)
        #expect(HARShape.archive.violations(json) == [])
        let log = (json as? [String: Any])?["log"] as? [String: Any]
        #expect(log?["version"] as? String == "1.2")
        let entries = try #require(log?["entries"] as? [[String: Any]])
        #expect(entries.count == 10)
        for entry in entries {
            let timings = try #require(entry["timings"] as? [String: Double])
            // `connect` includes the TLS handshake, and -1 marks a step that did not happen.
            let sum = timings.reduce(0) { $1.key == "ssl" ? $0 : $0 + max(0, $1.value) }
            let time = try #require(entry["time"] as? Double)
            #expect(abs(sum - time) < 0.001)
        }
        // Copies the archive for manual inspection.
        if let copy = ProcessInfo.processInfo.environment["MOYA_HAR_COPY"] {
            try data.write(to: URL(fileURLWithPath: "\(copy)-\(kind).har"))
        }
    }

    @Test func `an archive without exchanges is valid HAR`() throws {
        let file = folder.file()
        try HARRecorder(to: file).finish()
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        #expect(HARShape.archive.violations(json) == [])
    }

    @Test func `the HAR validator finds missing, unknown and mistyped members`() throws {
        let text = #"{"log":{"version":1.2,"creator":{"name":"x"},"entries":[{"time":-1}],"x":1}}"#
        let found = HARShape.archive.violations(
            try JSONSerialization.jsonObject(with: Data(text.utf8)))
        for violation in [
            "$.log.version is no text", "$.log.creator.version is missing",
            "$.log.entries[0].time is no time", "$.log.entries[0].request is missing",
            "$.log.x is none of the format's",
        ] {
            #expect(found.contains(violation))
        }
    }

    @Test func `the timings of a HAR entry add up to its total time`() {
        var metrics = TransportMetrics()
        (metrics.domainLookup, metrics.connect, metrics.firstByte) = (0.01, 0.03, 0.12)
        let timings = HAREntry.Timings(metrics, duration: 0.1)
        #expect(timings.dns + timings.connect + timings.wait + timings.receive == 100)
        #expect(timings.ssl == -1)
    }
}

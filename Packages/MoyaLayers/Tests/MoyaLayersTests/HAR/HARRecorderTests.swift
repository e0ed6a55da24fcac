import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The members of an archive that these tests use.
private struct Archive: Decodable {
    struct Log: Decodable {
        struct Creator: Decodable {
            var name: String
            var version: String
        }
        var version: String
        var creator: Creator
        var entries: [Entry]
    }
    struct Entry: Decodable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache: [String: String]
        var timings: [String: Double]
        var serverIPAddress: String?
    }
    struct Pair: Decodable, Equatable {
        var name: String
        var value: String
    }
    struct Request: Decodable {
        var method, url, httpVersion: String
        var cookies, headers, queryString: [Pair]
        var headersSize, bodySize: Int
        var postData: Post?
    }
    struct Post: Decodable {
        var mimeType, text: String
    }
    struct Response: Decodable {
        var status: Int
        var statusText, httpVersion, redirectURL: String
        var cookies, headers: [Pair]
        var headersSize, bodySize: Int
        var content: Content
        var _error: String?
    }
    struct Content: Decodable {
        var size: Int
        var mimeType: String
        var text, encoding: String?
    }
    var log: Log
}

@Suite struct HARRecorderTests {
    private final class Place {
        let folder: TemporaryFolder
        var file: URL { folder.file("session.har") }
        var journal: URL { HARJournal.journal(of: file) }

        init() throws { folder = try TemporaryFolder() }

        func entries() throws -> [Archive.Entry] {
            let archive = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: file))
            #expect(archive.log.version == "1.2")
            #expect(archive.log.creator.name == "Moya")
            return archive.log.entries
        }
    }

    private let clock = TestClock()

    @Test func `an exchange is recorded as a HAR entry with times, sizes and address`() async throws
    {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let clock = clock
        let stub = StubTransport { request in
            clock.advance(by: 0.5)
            var response = try TransportResponse.test(
                request, 200, ["Content-Type": "text/plain"], body: "hello")
            response.metrics.domainLookup = 0.01
            response.metrics.connect = 0.03
            response.metrics.secureConnect = 0.1
            response.metrics.firstByte = 0.3
            response.metrics.bytesReceived = 5
            response.metrics.remoteAddress = "192.0.2.1"
            return response
        }
        _ = try await stub.recording(to: recorder).send(
            .test("POST", "http://host.test/a?b=c&d", body: .data(Data("ping".utf8))))
        try recorder.finish()
        let entry = try #require(try place.entries().first)
        #expect(entry.startedDateTime == "1994-11-06T08:49:37.000Z")
        #expect(entry.time == 500)
        #expect(entry.request.method == "POST")
        #expect(
            entry.request.queryString == [
                .init(name: "b", value: "c"), .init(name: "d", value: ""),
            ])
        #expect(entry.request.bodySize == 4)
        #expect(entry.request.postData == nil)
        #expect(entry.response.status == 200)
        #expect(entry.response.content.size == 5)
        #expect(entry.response.content.mimeType == "text/plain")
        #expect(entry.response.content.text == nil)
        #expect(entry.serverIPAddress == "192.0.2.1")
        let timings = entry.timings.mapValues { ($0 * 10).rounded() / 10 }
        #expect(
            timings == [
                "blocked": -1, "dns": 10, "connect": 90, "ssl": 70, "send": 0, "wait": 200,
                "receive": 200,
            ])
    }

    @Test func `bodies are recorded up to maximumBodySize, masked by maskBody`() async throws {
        let place = try Place()
        var options = HAROptions()
        options.maximumBodySize = 10
        options.maskBody = { body, type in
            type == "text/secret" ? Data("***".utf8) : body
        }
        let recorder = try HARRecorder(to: place.file, options: options, clock: clock)
        let bodies: [Data] = [Data("plain".utf8), Data([0xFF, 0xFE]), Data(count: 11)]
        for body in bodies {
            let stub = StubTransport { request in
                var response = try TransportResponse.test(request)
                response.body = .data(body)
                return response
            }
            _ = try await stub.recording(to: recorder).send(
                .test(
                    "POST", headers: ["Content-Type": "text/secret"],
                    body: .data(Data("hush".utf8))))
        }
        try recorder.finish()
        let entries = try place.entries()
        #expect(entries.map(\.response.content.text) == ["plain", "//4=", nil])
        #expect(entries.map(\.response.content.encoding) == [nil, "base64", nil])
        #expect(entries.map(\.request.postData?.text) == ["***", "***", "***"])
    }

    @Test func `recorded bodies are masked by the redaction of the options`() async throws {
        let place = try Place()
        var options = HAROptions()
        options.maximumBodySize = 100
        options.redaction.queryNames.insert("iban")
        let recorder = try HARRecorder(to: place.file, options: options, clock: clock)
        let stub = StubTransport { try .test($0, body: #"{"iban":"hush"}"#) }
        _ = try await stub.recording(to: recorder).send(
            .test("POST", body: .data(Data("iban=hush".utf8))))
        try recorder.finish()
        let entry = try #require(try place.entries().first)
        #expect(entry.request.postData?.text == "iban=***")
        #expect(entry.response.content.text == #"{"iban":"***"}"#)
    }

    @Test func `the HAR journal and the archive have no secret`() async throws {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let stub = StubTransport { request in
            guard request.method == "GET" else {
                throw URLError(
                    .timedOut, userInfo: [NSLocalizedDescriptionKey: "hush", "url": "hush"])
            }
            return try .test(
                request, 302,
                ["Set-Cookie": "hush", "Location": "http://u:hush@h.test/?token=hush&a=1"],
                body: "hush")
        }
        let transport = stub.recording(to: recorder)
        for method in ["GET", "POST"] {
            _ = try? await transport.send(
                .test(
                    method, "http://user:hush@host.test/?access_token=hush&page=2",
                    headers: [
                        "Authorization": "Bearer hush", "Cookie": "hush",
                        "Referer": "http://h.test/?key=hush", "Proxy-Authorization": "hush",
                    ], body: .data(Data("hush".utf8))))
        }
        #expect(
            try !String(contentsOf: place.journal, encoding: .utf8).contains("hush"))
        try recorder.finish()
        let text = try String(contentsOf: place.file, encoding: .utf8)
        #expect(!text.contains("hush"))
        #expect(text.contains("page=2"))
        #expect(try place.entries().last?.response._error == "NSURLErrorDomain -1001")
    }

    @Test func `the archive on disk is always valid and has over half of the exchanges`()
        async throws
    {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        for count in 1...33 {
            _ = try await transport.send(.test())
            let written = try place.entries().count
            #expect(written <= count && written * 2 > count)
        }
        try recorder.finish()
        #expect(try place.entries().count == 33)
        #expect(place.folder.names == ["session.har"])
    }

    @Test func `a truncated HAR journal is recovered up to its last whole entry`() async throws {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        _ = try await transport.send(.test())
        let first = try Data(contentsOf: place.journal).count
        _ = try await transport.send(.test())
        let whole = try Data(contentsOf: place.journal)
        for count in stride(from: 0, through: whole.count, by: 7) {
            try whole.prefix(count).write(to: place.journal)
            #expect(try HARRecorder.recover(place.file))
            #expect(
                try place.entries().count
                    == (count < first ? 0 : count < whole.count ? 1 : 2), "\(count) bytes")
        }
        #expect(try !HARRecorder.recover(place.file))
    }

    @Test(arguments: ["\u{0}\u{0}\u{0}\n", "\n", "{\"half\n"])
    func `a damaged line of a HAR journal does not prevent recovery of other lines`(bad: String)
        async throws
    {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        for _ in 0..<3 { _ = try await transport.send(.test()) }
        let lines = try Data(contentsOf: place.journal).split(separator: 10).map { $0 + [10] }
        try (lines[0] + Data(bad.utf8) + lines[1] + lines[2]).write(to: place.journal)
        #expect(try HARRecorder.recover(place.file))
        #expect(try place.entries().count == 3)
        #expect(place.folder.names == ["session.har"])
    }

    @Test func `a new HAR recorder continues the journal of a dead recorder`() async throws {
        let place = try Place()
        for count in 1...3 {
            let recorder = try HARRecorder(to: place.file, clock: clock)
            _ = try await StubTransport { try .test($0) }.recording(to: recorder).send(.test())
            let handle = try FileHandle(forWritingTo: place.journal)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(#"{"half"#.utf8))
            try handle.close()
            #expect(try Data(contentsOf: place.journal).split(separator: 10).count == count + 1)
        }
        try HARRecorder.recover(place.file)
        #expect(try place.entries().count == 3)
    }

    @Test func `an exchange that ends after finish is added to the archive`() async throws {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        for count in 1...3 {
            _ = try await transport.send(.test("PUT", "http://host.test/\(count)"))
            try recorder.finish()
            #expect(
                try place.entries().map(\.request.url).suffix(1) == ["http://host.test/\(count)"])
            #expect(try place.entries().count == count)
        }
        #expect(place.folder.names == ["session.har"])
        // A new recorder starts a new archive.
        let other = try HARRecorder(to: place.file, clock: clock)
        _ = try await StubTransport { try .test($0) }.recording(to: other).send(.test())
        try other.finish()
        #expect(try place.entries().count == 1)
    }

    @Test func `50 concurrent exchanges are all recorded in the archive`() async throws {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await transport.send(.test()) } }
            try await group.waitForAll()
        }
        try recorder.finish()
        #expect(try place.entries().count == 50)
    }

    @Test func `reading a body does not wait for HAR disk writes, but finish does`()
        async throws
    {
        let place = try Place()
        let queue = DispatchQueue(label: "disk")
        let recorder = try HARRecorder(
            to: place.file, options: HAROptions(), clock: clock, queue: queue)
        let source = GatedStreamTransport(statuses: 200)
        let response = try await source.recording(to: recorder).send(.test())
        queue.suspend()
        source.finish()
        #expect(try await response.streamed() == "onetwo")
        #expect(try Data(contentsOf: place.journal).isEmpty)
        queue.resume()
        try recorder.finish()
        #expect(try place.entries().count == 1)
    }

    /// Runs in a child process with a file size limit, so that a write fails partway, as on a full
    /// disk.
    @Test func `a HAR entry that does not fit on the disk leaves other entries intact`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let place = try Place()
            var journal = try HARJournal(file: place.file)
            try journal.append(Data(#"{"number":1}"#.utf8))
            let usual = try ResourceLimit.fileSize.set(20)
            var error: (any Error)?
            do { try journal.append(Data(#"{"number":2}"#.utf8)) } catch let thrown {
                error = thrown
            }
            #expect(error != nil)
            try ResourceLimit.fileSize.set(usual)
            try journal.append(Data(#"{"number":3}"#.utf8))
            try journal.finish()
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: place.file))
            let log = (json as? [String: Any])?["log"] as? [String: Any]
            let entries = log?["entries"] as? [[String: Int]]
            #expect(entries == [["number": 1], ["number": 3]])
        }
    }

    @Test func `an archive that cannot be written does not fail the exchange`() async throws {
        let place = try Place()
        let recorder = try HARRecorder(to: place.file, clock: clock)
        try FileManager.default.removeItem(at: place.folder.url)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        #expect(try await transport.send(.test()).head.statusCode == 200)
        #expect(throws: (any Error).self) {
            try HARRecorder(to: URL(fileURLWithPath: "/dev/null/x.har"))
        }
    }
}

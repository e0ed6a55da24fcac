import Foundation
import MoyaCore
import MoyaLayers
import MoyaMockServer
import Testing

@testable import moya_demo

@Suite struct DemoTests {
    @Test func `The demo writes colours only to a terminal, and none with NO_COLOR`() {
        let good = "\u{1B}[32mok\u{1B}[0m"
        #expect(Terminal(isTerminal: true, environment: [:]).text("ok", .good) == good)
        #expect(Terminal(isTerminal: false, environment: [:]).text("ok", .good) == "ok")
        #expect(
            Terminal(isTerminal: true, environment: ["NO_COLOR": "1"]).text("ok", .good) == "ok")
        #expect(
            Terminal(isTerminal: true, environment: ["TERM": "dumb"]).text("ok", .good) == "ok")
    }

    @Test func `A step that fails shows the error and its causes`() async {
        let cause = NSError(domain: "libcurl", code: 7)
        let lost = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: cause])
        let row = await step("a request", over: "curl") {
            throw MoyaError.underlying(lost, nil)
        }
        #expect(row.problems.count == 3)
        let text = Terminal(isTerminal: false, environment: [:]).table([row])
        #expect(text.contains("✗ curl"))
        #expect(text.contains("because: \(lost.localizedDescription)"))
        #expect(text.contains("because: \(cause)"))
    }

    @Test func `Every layer step and API check of the demo succeeds`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try MockServer.news()
        defer { server.stop() }
        let archive = folder.appendingPathComponent("demo.har")
        let recorder = try HARRecorder(to: archive)
        var rows: [Row] = []
        let showcase = Showcase(server: server, folder: folder, recorder: recorder)
        #expect(await showcase.run { rows.append($0) })
        #expect(rows.flatMap(\.problems) == [])
        #expect(rows.count == 5)
        try recorder.finish()
        let entries = try String(contentsOf: archive, encoding: .utf8).components(
            separatedBy: "\"startedDateTime\"")
        // When the loop over server-sent events ends, its reconnect may already have been sent.
        // That request has no entry in the archive.
        let sent = server.requests.count
        #expect((sent - 1...sent).contains(entries.count - 1))
        #expect(await NewsRequest.check(at: server.url).problems.isEmpty)
    }

    @Test func `The demo downloads 64 MiB over each transport and from the stub`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try MockServer()
        defer { server.stop() }
        let rows = await Main.rows(for: Server(url: server.url, own: server), in: folder)
        #expect(rows.flatMap(\.problems) == [])
        let downloads = rows.filter { $0.step == "64 MiB download" }
        #expect(downloads.map(\.transport) == ["curl", "foundation", "stub"])
        #expect(downloads.allSatisfy { $0.byteCount == 64 << 20 })
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

@Suite struct ProgressLineTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"), (99_949, "99.9 kB"),
        (99_960, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (4.3e9, "4.3 GB"),
        (1e30, "1000000000000 EB"), (-5, "0 B"),
    ])
    func `a byte count is formatted with three digits`(count: Double, text: String) {
        #expect(ProgressLine.bytes(count) == text)
    }

    @Test(arguments: [
        (0.1, "0:01"), (59.0, "0:59"), (59.5, "1:00"), (3599, "59:59"), (3723, "1:02:03"),
        (1e9, "days"), (.infinity, "days"),
    ])
    func `a remaining time is formatted as hours, minutes and seconds`(
        seconds: TimeInterval, text: String
    ) {
        #expect(ProgressLine.time(seconds) == text)
    }

    @Test func `a progress line shows all details where the width allows`() {
        let progress = FileProgress(
            completedBytes: 50_000_000, totalBytes: 100_000_000, bytesPerSecond: 2_000_000)
        let line = ProgressLine(title: "file", progress: progress)
        #expect(
            line.text(width: 80)
                == "file [##################...................] 50 %  50.0 MB  2.0 MB/s  0:25 left"
                .padding(toLength: 79, withPad: " ", startingAt: 0))
        #expect(line.plainText == "file: 50 %  50.0 MB  2.0 MB/s  0:25 left")
    }

    @Test(arguments: [0, 1, 2, 10, 40, 50, 80, 300])
    func `a progress line is never wider than the terminal`(width: Int) {
        for title in ["", "a", String(repeating: "long ", count: 100), "\u{1B}[2J\n\r"] {
            for total in [nil, 0, 1, 1000] as [Int64?] {
                for rate in [nil, 0, 1, 1e12] as [Double?] {
                    let progress = FileProgress(
                        completedBytes: 1, totalBytes: total, bytesPerSecond: rate)
                    let line = ProgressLine(
                        title: ProgressLine.printable(title), progress: progress)
                    let text = line.text(width: width)
                    #expect(text.count == max(0, width - 1))
                    #expect(text.utf8.allSatisfy { $0 >= 0x20 })
                }
            }
        }
    }
}

@Suite struct ProgressBarTests {
    @Test func `a progress bar on a terminal is updated ten times a second and at the end`() {
        var schedule = ProgressBar.Schedule()
        let half = FileProgress(completedBytes: 1, totalBytes: 2)
        let due = [10.0, 10.0625, 10.125, 10.1875, 10.25].map {
            schedule.isDue(half, isOver: false, isTerminal: true, at: $0)
        }
        #expect(due == [true, false, true, false, true])
        let end = [10.3, 11].map { schedule.isDue(half, isOver: true, isTerminal: true, at: $0) }
        #expect(end == [true, false])
    }

    @Test func `a progress bar outside a terminal prints a line for each quarter`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("log", Data())
        let bar = ProgressBar("a\u{1B}b", to: try FileHandle(forWritingTo: file))
        for count in 0...100 {
            bar.show(FileProgress(completedBytes: Int64(count), totalBytes: 100))
        }
        bar.show(FileProgress(completedBytes: 100, totalBytes: 100))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(
            lines.map { $0.prefix { $0 != "%" } } == [
                "ab: 0 ", "ab: 25 ", "ab: 50 ", "ab: 75 ", "ab: 100 ",
            ])
    }

    @Test func `a progress bar outside a terminal prints why a transfer starts again`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("log", Data())
        let bar = ProgressBar("film", to: try FileHandle(forWritingTo: file))
        bar.show(FileProgress(completedBytes: 60, totalBytes: 100))
        var restart = FileProgress(completedBytes: 0)
        restart.restart = .compressed
        bar.show(restart)
        bar.show(FileProgress(completedBytes: 10, totalBytes: 100))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines.dropFirst().first == "film: starts again. \(TransferRestart.compressed)")
        #expect(lines.last?.hasPrefix("film: 10 %") == true)
    }

    @Test(arguments: Carrier.allCases)
    func `upload progress rises and never falls`(carrier: Carrier) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("upload", noise(8_000_000))
        let server = try MockServer()
        defer { server.stop() }
        let counts = Locked<[Int64]>([])
        let bar = try ProgressBar(
            "upload", to: FileHandle(forWritingTo: folder.file("log", Data())))
        let target = Transfer(
            baseURL: server.url, path: "/upload", method: .put, task: .uploadFile(file))
        let provider = MoyaProvider<Transfer>(transport: carrier.transport)
        try await provider.report(
            target,
            to: { report in
                bar.show(report)
                counts.withLock { $0.append(report.progressObject?.completedUnitCount ?? -1) }
            })
        let seen = counts.withLock { $0 }
        #expect(seen == seen.sorted())
        #expect(Set(seen).count > 2)
        #expect(seen.last == 8_000_000)
        let log = try String(contentsOf: folder.url.appendingPathComponent("log"), encoding: .utf8)
        #expect(log.components(separatedBy: "upload: 100 %  8.0 MB").count == 2)
    }
}

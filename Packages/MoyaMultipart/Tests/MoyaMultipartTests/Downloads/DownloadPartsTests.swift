import Foundation
import MoyaCore
import MoyaTesting
import Testing

@testable import MoyaMultipart

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", 0..<1, 1), ("bytes 5-9/*", 5..<10, nil), ("BYTES 5-9/10", 5..<10, 10),
            ("bytes */7", nil, 7),
        ] as [(String, Range<Int64>?, Int64?)])
    func `a Content-Range field is parsed`(field: String, range: Range<Int64>?, total: Int64?) {
        let parsed = ContentRange(field)
        #expect(parsed != nil)
        #expect(parsed?.range == range)
        #expect(parsed?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-0", "bytes 1-0/2", "bytes 0-2/2", "bytes */*", "bytes -1/2",
        "bytes 1-/2", "bytes +1-2/3", "bytes 0-1/2/3", "bytes 0-1-2/3", "pages 0-1/2",
        "bytes 0-99999999999999999999/*", "bytes 0-9223372036854775807/*",
    ])
    func `an invalid Content-Range field is rejected`(field: String) {
        #expect(ContentRange(field) == nil)
    }
}

@Suite struct SegmentTests {
    @Test(arguments: [1, 2, 3, 7, 100])
    func `splitting a segment gives adjacent segments up to its end`(count: Int) {
        let pieces = Segment(start: 0, end: 1003, done: 103).split(into: count, minimum: 100)
        #expect(pieces.count == min(count, 9))
        #expect(pieces.first?.offset == 103)
        #expect(pieces.last?.end == 1003)
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            #expect(piece.end == next.start)
            #expect((next.end ?? 0) - next.start >= 100)
        }
    }

    @Test func `a short, empty or unbounded segment is not split`() {
        for segment in [
            Segment(start: 0, end: nil), Segment(start: 0, end: 0), Segment(start: 0, end: 199),
            Segment(start: 0, end: 1000, done: 1000),
        ] {
            #expect(segment.split(into: 8, minimum: 100) == [segment])
            #expect(segment.split(into: 0, minimum: 0) == [segment])
        }
    }

    private func state(_ segments: [Segment]?, total: Int64? = 100) throws -> PartialState {
        let head = ResponseHead(
            statusCode: 200, url: URL(fileURLWithPath: "/"),
            fields: [HeaderField(name: "ETag", value: "\"a\"")])
        return PartialState(
            source: "s", validator: try #require(Validator(head)), total: total, segments: segments)
    }

    @Test func `saved segments are used only if they cover the file`() throws {
        let good = [Segment(start: 0, end: 40, done: 40), Segment(start: 40, end: 100, done: 10)]
        #expect(try state(good).segments(of: "s", fileLength: 50) == good)
        #expect(try state(good).segments(of: "s", fileLength: 49) == nil)
        #expect(try state(good).segments(of: "s", fileLength: 101) == nil)
        #expect(try state(good).segments(of: "other", fileLength: 50) == nil)
        #expect(try state(good, total: nil).segments(of: "s", fileLength: 50) == nil)
        for bad in [
            [], [Segment(start: 0, end: 99)], [Segment(start: 1, end: 100)],
            [Segment(start: 0, end: 50), Segment(start: 51, end: 100)],
            [Segment(start: 0, end: 100, done: 101)], [Segment(start: 0, end: 100, done: -1)],
            [Segment(start: 0, end: nil, done: 1)],
        ] {
            #expect(try state(bad).segments(of: "s", fileLength: 100) == nil)
        }
        #expect(
            try state(nil).segments(of: "s", fileLength: 7)
                == [Segment(start: 0, end: 100, done: 7)])
    }
}

@Suite struct PartialStateTests {
    private func state(synced: Int64?, boot: String?) throws -> PartialState {
        let head = ResponseHead(
            statusCode: 200, url: URL(fileURLWithPath: "/"),
            fields: [HeaderField(name: "ETag", value: "\"a\"")])
        return PartialState(
            source: "s", validator: try #require(Validator(head)), total: 100, synced: synced,
            boot: boot)
    }

    private func done(_ state: PartialState) -> Int64? {
        state.segments(of: "s", fileLength: 70)?.first?.done
    }

    @Test func `after a reboot only the synchronised bytes of a partial file are used`()
        throws
    {
        #expect(try done(state(synced: 40, boot: BootSession.current)) == 70)
        #expect(try done(state(synced: 40, boot: "another")) == 40)
        #expect(try done(state(synced: 90, boot: "another")) == 70)
        #expect(try done(state(synced: 40, boot: nil)) == 40)
        #expect(try done(state(synced: nil, boot: "another")) == 0)
        #expect(try done(state(synced: -1, boot: "another")) == 0)
    }

    @Test func `the state of a download over one connection is saved at intervals`() {
        var state = DownloadState()
        state.begin(
            ResponseHead(
                statusCode: 200, url: URL(fileURLWithPath: "/"),
                fields: [HeaderField(name: "ETag", value: "\"a\"")]))
        let due = (0..<6).map { _ in state.advance(0, by: 10, savingInterval: 30) }
        #expect(due == [false, false, true, false, false, true])
        #expect(state.saved("s")?.synced == 60)
    }
}

@Suite struct ValidatorTests {
    private func head(_ status: Int, _ fields: [String: String]) -> ResponseHead {
        ResponseHead(
            statusCode: status, url: URL(fileURLWithPath: "/"),
            fields: fields.map { HeaderField(name: $0.key, value: $0.value) })
    }

    @Test func `a partial response must have the entity tag of the whole file`() throws {
        let tag = try #require(Validator(head(200, ["ETag": "\"a\""])))
        #expect(tag.agrees(with: head(206, ["ETag": "\"a\""])))
        #expect(!tag.agrees(with: head(206, ["ETag": "\"b\""])))
        #expect(!tag.agrees(with: head(206, [:])))
        #expect(tag.agrees(with: head(416, [:])))
    }

    @Test func `a partial response may omit Last-Modified`() throws {
        let (modified, sent) = ("Fri, 20 Nov 2026 10:00:00 GMT", "Fri, 20 Nov 2026 11:00:00 GMT")
        let date = try #require(
            Validator(head(200, ["Last-Modified": modified, "Date": sent])))
        #expect(date.agrees(with: head(206, [:])))
        #expect(date.agrees(with: head(206, ["Last-Modified": modified])))
        #expect(!date.agrees(with: head(206, ["Last-Modified": sent])))
    }
}

@Suite struct FileProgressTests {
    @Test func `the rate follows the last seconds and determines the remaining time`() {
        var meter = RateMeter()
        meter.measure(0, at: 10)
        #expect(meter.bytesPerSecond == nil)
        meter.measure(50, at: 10.1)
        #expect(meter.bytesPerSecond == nil)
        meter.measure(1000, at: 11)
        #expect(meter.bytesPerSecond == 1000)
        for second in 1...60 { meter.measure(1000 + Int64(second) * 200, at: 11 + Double(second)) }
        let rate = meter.bytesPerSecond ?? 0
        #expect(abs(rate - 200) < 1)
        let progress = FileProgress(
            completedBytes: 600, totalBytes: 1000, bytesPerSecond: 200)
        #expect(progress.estimatedSecondsRemaining == 2)
        #expect(progress.fractionCompleted == 0.6)
    }

    @Test func `the rate is measured anew when a download starts over`() {
        var meter = RateMeter()
        meter.measure(0, at: 0)
        meter.measure(1000, at: 1)
        meter.measure(10, at: 2)
        #expect(meter.bytesPerSecond == nil)
        meter.measure(110, at: 3)
        #expect(meter.bytesPerSecond == 100)
    }

    @Test func `unknown totals and rates give no fraction and no remaining time`() {
        #expect(FileProgress(completedBytes: 5).fractionCompleted == nil)
        #expect(FileProgress(completedBytes: 5).estimatedSecondsRemaining == nil)
        #expect(FileProgress(completedBytes: 0, totalBytes: 0).fractionCompleted == 1)
        let stalled = FileProgress(completedBytes: 5, totalBytes: 10, bytesPerSecond: 0)
        #expect(stalled.estimatedSecondsRemaining == nil)
    }
}

@Suite struct TransferRetryTests {
    private let clock = TestClock(movesByItself: true)
    private let error = MoyaError.requestMapping("the attempt failed")

    @Test func `retry delays grow to the maximum and are reset after progress`() async throws {
        var budget = TransferRetry.Budget(
            TransferRetry(maximumRetries: 5, backoff: Backoff(base: 1, limit: 5)))
        for _ in 0..<5 { try await budget.wait(after: error, by: clock) }
        await #expect(throws: MoyaError.self) { try await budget.wait(after: error, by: clock) }
        #expect(clock.sleeps == [1, 2, 4, 5, 5])
        budget.reached(16 << 10)
        try await budget.wait(after: error, by: clock)
        #expect(clock.sleeps.last == 1)
    }

    @Test func `a retry delay that exceeds the task's deadline is not begun`() async {
        var budget = TransferRetry.Budget(
            TransferRetry(maximumRetries: 5, backoff: Backoff(base: 1, limit: 5)))
        await withDeadline(after: 3, clock: TestClock()) {
            for _ in 0..<2 {
                await #expect(throws: Never.self) { try await budget.wait(after: error, by: clock) }
            }
            await #expect(throws: MoyaError.self) { try await budget.wait(after: error, by: clock) }
        }
        #expect(clock.sleeps == [1, 2])
    }

    @Test(arguments: [-1, 0, 1])
    func `a budget of at most one attempt allows no retry`(attempts: Int) async {
        var budget = TransferRetry.Budget(TransferRetry(maximumRetries: attempts - 1))
        await #expect(throws: MoyaError.self) { try await budget.wait(after: error, by: clock) }
        #expect(clock.sleeps == [])
    }
}

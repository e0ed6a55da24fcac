import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaMultipart

/// Resumable transfers and the Retry-After of a server.
@Suite struct RetryAfterTests: DownloadSuite {
    let place: DownloadPlace
    private let origin: Origin
    /// Clock that starts at 08:49:37 on 6 November 1994.
    private let clock = TestClock(movesByItself: true)

    init() throws {
        place = try DownloadPlace(for: noise(1000))
        origin = try Origin(place.data)
    }

    private func refuse(until moment: String) {
        let busy = MockResponse.text("busy", status: 503).adding("Retry-After", moment)
        origin.resource.withLock { $0.refusals = [busy] }
    }

    private var options: ResumableDownloadOptions {
        var options = ResumableDownloadOptions.eager()
        options.clock = clock
        return options
    }

    @Test func `a retry policy repeats a transfer four times, after half a second at first`() {
        let retry = TransferRetry()
        #expect(retry.maximumRetries == 4)
        #expect(retry.backoff == Backoff(base: 0.5, factor: 2, limit: 30, maximumRetryAfter: 60))
    }

    @Test(arguments: [
        ("43", 43), ("0", 0), ("Sun, 06 Nov 1994 08:50:20 GMT", 43),
        ("Sunday, 06-Nov-94 08:50:20 GMT", 43), ("Sun Nov  6 08:50:20 1994", 43),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("soon", 0), ("-43", 0), ("4e1", 0), ("", 0),
    ])
    func `a download waits for the time in Retry-After`(
        moment: String, seconds: TimeInterval
    ) async throws {
        refuse(until: moment)
        try await origin.download(to: file, options)
        try expectWhole()
        #expect(clock.uptime == seconds)
    }

    @Test(arguments: [
        "61", "99999999999999999999999", "Sun, 06 Nov 1994 08:50:38 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func
        `a Retry-After beyond the limit fails the download with the response's error, without a delay`(
            moment: String
        ) async throws
    {
        refuse(until: moment)
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, options)
        }
        #expect(error?.response?.statusCode == 503)
        #expect(error?.response?.header("Retry-After") == moment)
        #expect(clock.sleeps == [])
        #expect(origin.server.requests.count == 1)
    }

    @Test func `an upload waits for the time in Retry-After, up to the limit`() async throws {
        let server = try TusServer()
        server.state.withLock { state in
            state.refusals = [503]
            state.retryAfter = "Sun, 06 Nov 1994 08:50:20 GMT"
        }
        var options = ResumableUploadOptions.eager()
        options.clock = clock
        _ = try await MoyaProvider<Transfer>(transport: Carrier.curl.transport)
            .resumableUpload(folder.file("up", place.data), to: server.target, options: options)
        #expect(server.contents == [place.data])
        #expect(clock.uptime == 43)
        server.state.withLock { state in
            state.uploads = [:]
            state.refusals = [429]
            state.retryAfter = "61"
        }
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: Carrier.curl.transport)
                .resumableUpload(folder.file("up", place.data), to: server.target, options: options)
        }
        #expect(error?.response?.statusCode == 429)
        #expect(clock.uptime == 43)
    }
}

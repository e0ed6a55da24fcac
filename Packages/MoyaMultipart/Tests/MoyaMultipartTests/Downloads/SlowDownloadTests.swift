import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Servers that send less than the requested range.
@Suite(.timeLimit(.minutes(3))) struct SlowDownloadTests: DownloadSuite {
    let place: DownloadPlace
    private let clock = TestClock(movesByItself: true)

    init() throws { place = try DownloadPlace() }

    /// Returns an origin that sends 100,000 bytes first, then `size` bytes per request, and 404
    /// after `limit` requests.
    private func origin(sending size: Int, limit: Int = 200) throws -> Origin {
        let origin = try Origin(.init(data: data))
        let count = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { [data] response, request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number <= limit else { return .text("too many", status: 404) }
                guard let field = request.value(for: "Range") else {
                    return response.truncated(after: 100_000)
                }
                let first = Int(field.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
                let last = min(first + size, data.count) - 1
                return MockResponse(status: 206, body: .data(data[first...last]))
                    .adding("Content-Range", "bytes \(first)-\(last)/\(data.count)")
                    .adding("ETag", "\"one\"")
            }
        }
        return origin
    }

    private func options() -> ResumableDownloadOptions {
        var options = ResumableDownloadOptions.eager()
        options.retry = TransferRetry()
        options.clock = clock
        return options
    }

    @Test(arguments: [1, 100])
    func `a server that sends a few bytes per range gets a bounded number of requests`(size: Int)
        async throws
    {
        let origin = try origin(sending: size)
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, options())
        }
        let cause = error?.underlyingError as? DownloadError
        #expect(cause?.reason == .inconsistentServer)
        #expect(cause?.description.contains("range") == true)
        // The first connection breaks, and four range requests follow.
        #expect(origin.server.requests.count == 5)
        #expect(clock.sleeps.count == 4)
    }

    @Test func `a server that limits ranges to 20 kB is requested without pauses`() async throws {
        let origin = try origin(sending: 20_000)
        try await origin.download(to: file, options())
        try expectWhole()
        #expect(origin.server.requests.count == 11)
        // The pause after the broken connection.
        #expect(clock.sleeps.count == 1)
    }

    @Test func `a download from a server that limits ranges to 5 kB completes with pauses`()
        async throws
    {
        let origin = try origin(sending: 5000)
        try await origin.download(to: file, options())
        try expectWhole()
        #expect(origin.server.requests.count == 41)
        #expect(clock.sleeps.count == 40)
    }

    @Test func `a download whose connection breaks after each byte fails`() async throws {
        let origin = try Origin(.init(data: data, cut: 1))
        let count = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { response, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number <= 200 ? response : .text("too many", status: 404)
            }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, options())
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(origin.server.requests.count == 5)
    }

    @Test func `a parallel download whose ranges arrive byte by byte fails`() async throws {
        let origin = try origin(sending: 1)
        origin.resource.withLock { resource in
            let change = resource.change
            resource.change = { response, request in
                request.value(for: "Range") == nil ? response : change(response, request)
            }
        }
        var options = options()
        options.connections = 3
        await #expect(throws: MoyaError.self) { try await origin.download(to: file, options) }
        #expect(origin.server.requests.count <= 16)
    }
}

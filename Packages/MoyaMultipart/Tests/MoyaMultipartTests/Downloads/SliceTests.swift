import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parts of a file whose status or fields contradict each other (RFC 9110, sections 14.4, 14.6 and
/// 15.3.7).
@Suite struct SliceTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    /// Saves 100,000 bytes, and has later responses changed.
    private func interrupted(
        over carrier: Carrier = .curl,
        _ change: @escaping @Sendable (MockResponse, MockRequest) -> MockResponse
    ) async throws -> Origin {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file, over: carrier)
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.change = change
        }
        return origin
    }

    @Test(arguments: Carrier.allCases)
    func `a 200 with the missing bytes and their Content-Range is an error, not the whole file`(
        carrier: Carrier
    ) async throws {
        let origin = try await interrupted(over: carrier) { response, request in
            var response = response
            if request.value(for: "Range") != nil { response.status = 200 }
            return response
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, over: carrier)
        }
        let cause = error?.underlyingError as? DownloadError
        #expect(cause?.reason == .inconsistentServer)
        #expect(cause?.description.contains("\"bytes 100000-299999/300000\"") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        // The bytes present are still good.
        origin.resource.withLock { $0.change = { response, _ in response } }
        try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(origin.values("Range").last == "bytes=100000-")
    }

    @Test(arguments: [
        "bytes 0-99999/300000", "bytes 0-299999/*", "bytes */300000", "bytes 0-299998/299999",
        "bytes 0-300000/300001", "bytes 1-300000/300001", "bytes",
        "bytes 0-1/2, bytes 0-299999/300000",
        "Bytes 0-9/10",
    ])
    func `a 200 whose Content-Range is not its whole body is an error`(field: String) async throws {
        let origin = try Origin(data)
        origin.resource.withLock { resource in
            resource.change = { response, _ in response.adding("Content-Range", field) }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
        #expect(folder.names.isEmpty)
        #expect(origin.server.requests.count == 1)
    }

    @Test(arguments: ["bytes 0-299999/300000", "items 0-24/66", "pages 1-1/*"])
    func `a 200 with the Content-Range of its whole body or of another unit is the whole file`(
        field: String
    ) async throws {
        let origin = try Origin(data)
        origin.resource.withLock { resource in
            resource.change = { response, _ in response.adding("Content-Range", field) }
        }
        try await origin.download(to: file)
        try expectWhole()
    }

    @Test func `a chunked 200 that is shorter than its Content-Range is not the whole file`()
        async throws
    {
        let origin = try Origin(.init(data: data, isChunked: true))
        origin.resource.withLock { resource in
            resource.change = { response, _ in
                response.adding("Content-Range", "bytes 0-399999/400000")
            }
        }
        await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a multipart range response is not saved, whatever its Content-Range`() async throws
    {
        let origin = try await interrupted { response, request in
            guard request.value(for: "Range") != nil else { return response }
            return response.adding("Content-Type", "multipart/byteranges; boundary=x")
        }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(result.restart?.reason == .serverChanged)
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test(arguments: Carrier.allCases)
    func `a 206 with fewer bytes than its Content-Range is continued, not completed`(
        carrier: Carrier
    ) async throws {
        let origin = try await interrupted(over: carrier) { [data] response, request in
            guard request.value(for: "Range") == "bytes=100000-" else { return response }
            var response = response
            response.body = .data(data[100_000..<150_000])
            return response
        }
        try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=100000-", "bytes=150000-"])
    }

    @Test func `a 206 without a request for a range is an error`() async throws {
        let origin = try Origin(data)
        origin.resource.withLock { resource in
            resource.change = { [data] _, _ in
                MockResponse(status: 206, body: .data(data))
                    .adding("Content-Range", "bytes 0-299999/300000")
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(error?.response?.statusCode == 206)
        #expect(folder.names.isEmpty)
    }
}

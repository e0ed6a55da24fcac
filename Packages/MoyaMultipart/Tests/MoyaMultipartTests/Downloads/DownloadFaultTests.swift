import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Unexpected responses to range requests.
@Suite struct DownloadFaultTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    @Test func `a server without range support sends the whole file again`() async throws {
        let origin = try Origin(.init(data: data, takesRanges: false, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(result.receivedByteCount == 300_000)
    }

    @Test func `a complete partial file of unknown length ends with 416`() async throws {
        let origin = try Origin(.init(data: data, stall: 300_000, isChunked: true))
        try await origin.downloadPart(300_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(result.head.statusCode == 416)
        #expect(origin.values("Range") == [nil, "bytes=300000-"])
    }

    @Test(arguments: [
        "", "bytes 100001-299999/300000", "bytes 99999-299999/300000", "bytes 100000-299999/300001",
        "bytes 100000-300000/300001", "bytes */300000", "bytes 0-299999/300000", "items 1-2/3",
        "coded", "without a tag",
    ])
    func `a partial response with a wrong range, tag or coding is not used`(field: String)
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                let wrong = MockResponse(status: 206, body: .data(data[100_000...]))
                let tagged = wrong.adding("ETag", "\"one\"")
                if field == "coded" {
                    return tagged.adding("Content-Range", "bytes 100000-299999/300000")
                        .adding("Content-Encoding", "br")
                }
                if field == "without a tag" {
                    return wrong.adding("Content-Range", "bytes 100000-299999/300000")
                }
                return field.isEmpty ? tagged : tagged.adding("Content-Range", field)
            }
        }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test func `responses that never fit together cause an inconsistentServer error`() async throws
    {
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                request.value(for: "Range") == nil ? response : MockResponse(status: 416)
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
    }

    @Test func `a partial response with more bytes than announced is an error`() async throws {
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                return MockResponse(status: 206, body: .data(noise(200_001)))
                    .adding("Content-Range", "bytes 100000-299999/300000")
                    .adding("ETag", "\"one\"")
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a download is retried after a 503 response and fails at once after a 404 response`()
        async throws
    {
        let origin = try Origin(data)
        let busy = MockResponse.text("busy", status: 503).adding("Retry-After", "0")
        origin.resource.withLock { $0.refusals = [busy, busy] }
        try await origin.download(to: file)
        try expectWhole()

        origin.resource.withLock { $0.refusals = [.text("the reason", status: 404)] }
        for validation in [ValidationType.none, .successCodes] {
            origin.resource.withLock { $0.refusals = [.text("the reason", status: 404)] }
            let other = folder.url.appendingPathComponent("other")
            let error = await #expect(throws: MoyaError.self) {
                try await origin.download(to: other, validation: validation)
            }
            #expect(error?.response?.statusCode == 404)
            #expect(error?.response?.data == Data("the reason".utf8))
            #expect(!FileManager.default.fileExists(atPath: other.path))
        }
        #expect(origin.server.requests.count == 5)
    }

    @Test
    func `a download fails after its attempts without progress, and the partial file is kept`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { resource in
            resource.change = { _, _ in .silence(then: .reset) }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, .eager(attempts: 4))
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(origin.server.requests.count == 5)
        origin.resource.withLock { $0 = .init(data: data) }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range").last == "bytes=100000-")
    }

    @Test(arguments: [nil, "\"one\""])
    func `a download of repeatedly incomplete bodies without ranges fails after three requests`(
        tag: String?
    )
        async throws
    {
        let origin = try Origin(.init(data: data, tag: tag, takesRanges: false, cut: 100_000))
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(origin.server.requests.count == 3)
    }

    @Test func `a response in an unrequested content coding is decoded, without a digest check`()
        async throws
    {
        let origin = try Origin(Data())
        origin.resource.withLock { resource in
            resource.change = { _, _ in
                .compressedZeros(300_000).adding("ETag", "\"one\"")
                    .adding("Repr-Digest", "sha-256=:\(Data(count: 32).base64EncodedString()):")
            }
        }
        for carrier in Carrier.allCases {
            try await origin.download(to: file, over: carrier)
            try expectWhole(Data(count: 300_000))
            try FileManager.default.removeItem(at: file)
        }
    }
}

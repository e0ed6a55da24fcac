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

/// Files that change on the server between the requests of a download, or may have changed.
@Suite struct ChangedDownloadTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    @Test func `a file that changed between attempts is downloaded from the beginning`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let new = noise(250_000, seed: 2)
        origin.resource.withLock { $0 = .init(data: new, tag: "\"two\"") }
        try await origin.download(to: file)
        try expectWhole(new)
        #expect(origin.values("If-Range") == [nil, "\"one\""])
    }

    @Test
    func `a changed file is downloaded from the beginning although the server ignores If-Range`()
        async throws
    {
        let new = noise(300_000, seed: 2)
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { [resource = origin.resource] response, request in
                guard request.value(for: "Range") == nil else { return response }
                // The file changes here. Ranges of the new file are sent regardless of If-Range.
                resource.withLock {
                    $0 = .init(data: new, tag: "\"two\"")
                    $0.change = { response, request in
                        guard let range = request.value(for: "Range") else { return response }
                        let start = Int(range.dropFirst(6).dropLast()) ?? 0
                        return MockResponse(status: 206, body: .data(new[start...]))
                            .adding("ETag", "\"two\"").adding(
                                "Content-Range", "bytes \(start)-299999/300000")
                    }
                }
                return response
            }
        }
        try await origin.download(to: file)
        try expectWhole(new)
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test func `a partial download longer than the file is discarded`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // The entity tag stays the same: the server is wrong about its file.
        origin.resource.withLock { $0 = .init(data: data.prefix(50_000)) }
        try await origin.download(to: file, validation: .successCodes)
        try expectWhole(data.prefix(50_000))
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    static let unreliable: [(tag: String?, lastModified: String?)] = [
        ("W/\"one\"", nil), ("W/\"one\"", "Fri, 20 Nov 2026 10:00:00 GMT"), (nil, nil),
        ("one", nil), (nil, "Sat, 21 Nov 2026 09:59:30 GMT"), (nil, "yesterday"),
    ]

    @Test(arguments: unreliable)
    func `a download without a strong validator is not resumed`(tag: String?, lastModified: String?)
        async throws
    {
        let origin = try Origin(
            .init(data: data, tag: tag, lastModified: lastModified, stall: 100_000))
        try await origin.downloadPart(100_000, to: file, .eager(connections: 4))
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file, .eager(connections: 4))
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
        #expect(origin.values("If-Range") == [nil, nil])
    }

    @Test func `a Last-Modified that is a minute older than Date is a validator`() async throws {
        let date = "Fri, 20 Nov 2026 10:00:00 GMT"
        let origin = try Origin(.init(data: data, tag: nil, lastModified: date, cut: 200_000))
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("If-Range") == [nil, date])
    }

    @Test func `a partial download is not resumed for another query with an equal entity tag`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let new = noise(300_000, seed: 2)
        origin.resource.withLock { $0 = .init(data: new) }
        var target = origin.target
        target.task = .requestParameters(
            parameters: ["page": 2], encoding: URLEncoding.queryString)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file)
        try expectWhole(new)
        #expect(origin.values("Range") == [nil, nil])
    }
}

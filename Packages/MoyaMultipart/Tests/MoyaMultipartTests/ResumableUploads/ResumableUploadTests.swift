import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ResumableUploadTests: UploadSuite {
    let place: UploadPlace

    init() throws { place = try UploadPlace() }

    @Test(arguments: Carrier.allCases)
    func `a file arrives whole, and nothing else is left`(carrier: Carrier) async throws {
        let result = try await upload(over: carrier)
        #expect(server.contents == [data])
        #expect(server.log == ["POST /files", "PATCH /files/1 0"])
        #expect(result.url.path == "/files/1")
        #expect(result.byteCount == 1_000_000)
        #expect(result.resumedFrom == 0)
        #expect(folder.names == ["file"])
        #expect(
            server.state.withLock { $0.uploads["/files/1"]?.metadata }
                == "filename w6QuYmlu,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt")
    }

    @Test func `an empty file is created and that is all`() async throws {
        try Data().write(to: file)
        try await upload()
        #expect(server.contents == [Data()])
        #expect(server.log == ["POST /files"])
    }

    @Test(arguments: Carrier.allCases)
    func `after each lost connection it goes on with what the server has`(carrier: Carrier)
        async throws
    {
        server.state.withLock { $0.cut = 300_000 }
        try await upload(over: carrier)
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "HEAD /files/1", "PATCH /files/1 300000",
                "HEAD /files/1", "PATCH /files/1 600000", "HEAD /files/1", "PATCH /files/1 900000",
            ])
    }

    @Test func `where no state can be written, it goes on after a lost connection nevertheless`()
        async throws
    {
        server.state.withLock { $0.cut = 600_000 }
        var options = ResumableUploadOptions.eager()
        options.stateFolder = folder.url.appendingPathComponent("missing")
        try await upload(options)
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "HEAD /files/1", "PATCH /files/1 600000",
            ])
    }

    @Test func `a file may go in pieces`() async throws {
        try await upload(.eager(chunkSize: 400_000))
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "PATCH /files/1 400000", "PATCH /files/1 800000",
            ])
    }

    @Test func `pieces without a bound go on like any other`() async throws {
        server.state.withLock { $0.cut = 600_000 }
        try await upload(.eager(chunkSize: .max))
        #expect(server.contents == [data])
        #expect(server.log.last == "PATCH /files/1 600000")
    }

    @Test(arguments: Carrier.allCases)
    func `what was cancelled goes on later`(carrier: Carrier) async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall(over: carrier)
        #expect(folder.names.count == 2)
        let result = try await upload()
        #expect(result.resumedFrom == 300_000)
        #expect(server.contents == [data])
        #expect(server.log.dropFirst(2) == ["HEAD /files/1", "PATCH /files/1 300000"])
        #expect(folder.names == ["file"])
    }

    @Test func `the state may be kept elsewhere`() async throws {
        let elsewhere = try TemporaryFolder()
        var options = ResumableUploadOptions.eager()
        options.stateFolder = elsewhere.url
        server.state.withLock { $0.cut = 0 }
        await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect(folder.names == ["file"])
        #expect(elsewhere.names.count == 1)
        server.state.withLock { $0.cut = nil }
        try await upload(options)
        #expect(elsewhere.names.isEmpty)
        #expect(server.contents == [data])
    }

    @Test func `progress counts from what the server has, and ends at the end`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        let reports = Locked<[FileProgress]>([])
        try await upload { report in reports.withLock { $0.append(report) } }
        #expect(reports.withLock { $0.first?.completedBytes } == 300_000)
        #expect(reports.withLock { $0.last?.fractionCompleted } == 1)
    }

    @Test(arguments: ["", "file name", "a,b", "größe", "a\r\nX-Evil: 1"])
    func `a name of metadata that cannot be sent is refused`(name: String) async throws {
        var options = ResumableUploadOptions.eager()
        options.metadata = [name: "value"]
        let error = await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect((error?.underlyingError as? UploadError)?.reason == .metadataName)
        #expect(server.contents.isEmpty)
    }
}

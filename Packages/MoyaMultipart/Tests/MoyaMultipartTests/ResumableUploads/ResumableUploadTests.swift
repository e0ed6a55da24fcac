import Foundation
import MoyaCore
import MoyaInternals
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
    func `a resumable upload arrives whole and leaves no other files`(carrier: Carrier) async throws
    {
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

    @Test func `an empty file is created on the server without sending data`() async throws {
        try Data().write(to: file)
        try await upload()
        #expect(server.contents == [Data()])
        #expect(server.log == ["POST /files"])
    }

    @Test(arguments: Carrier.allCases)
    func `after each lost connection an upload resumes at the server's offset`(carrier: Carrier)
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

    @Test func `an upload without a writable state folder resumes after a lost connection`()
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

    @Test func `a file can be uploaded in chunks of a given size`() async throws {
        try await upload(.eager(chunkSize: 400_000))
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "PATCH /files/1 400000", "PATCH /files/1 800000",
            ])
    }

    @Test(arguments: [0, -5])
    func `an upload with a chunk size below 1 sends one byte in each request`(chunkSize: Int64)
        async throws
    {
        try Data([1, 2, 3]).write(to: file)
        try await upload(.eager(chunkSize: chunkSize))
        #expect(server.contents == [Data([1, 2, 3])])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "PATCH /files/1 1", "PATCH /files/1 2",
            ])
    }

    @Test func `an upload whose last response was lost is complete at the next attempt`()
        async throws
    {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        server.state.withLock { $0.uploads["/files/1"]?.data = data }
        let result = try await upload()
        #expect(result.resumedFrom == 1_000_000)
        #expect(server.log.dropFirst(2) == ["HEAD /files/1"])
        #expect(folder.names == ["file"])
    }

    @Test func `an upload with an unlimited chunk size resumes after a lost connection`()
        async throws
    {
        server.state.withLock { $0.cut = 600_000 }
        try await upload(.eager(chunkSize: .max))
        #expect(server.contents == [data])
        #expect(server.log.last == "PATCH /files/1 600000")
    }

    @Test(arguments: Carrier.allCases)
    func `a cancelled upload resumes later`(carrier: Carrier) async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall(over: carrier)
        #expect(folder.names.count == 2)
        let result = try await upload()
        #expect(result.resumedFrom == 300_000)
        #expect(server.contents == [data])
        #expect(server.log.dropFirst(2) == ["HEAD /files/1", "PATCH /files/1 300000"])
        #expect(folder.names == ["file"])
    }

    @Test func `the upload state can be stored in another folder`() async throws {
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

    @Test func `upload progress starts at the server's offset and ends at 1`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        let reports = Locked<[FileProgress]>([])
        try await upload { report in reports.withLock { $0.append(report) } }
        #expect(reports.withLock { $0.first?.completedBytes } == 300_000)
        #expect(reports.withLock { $0.last?.fractionCompleted } == 1)
    }

    @Test(arguments: ["", "file name", "a,b", "größe", "a\r\nX-Evil: 1"])
    func `an invalid metadata name is refused`(name: String) async throws {
        var options = ResumableUploadOptions.eager()
        options.metadata = [name: "value"]
        let error = await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect((error?.underlyingError as? UploadError)?.reason == .metadataName)
        #expect(server.contents.isEmpty)
    }
}

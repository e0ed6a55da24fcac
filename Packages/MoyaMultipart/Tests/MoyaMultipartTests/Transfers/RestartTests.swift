import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reports of uploads that start again from the first byte.
@Suite struct UploadRestartTests: UploadSuite {
    let place: UploadPlace

    init() throws { place = try UploadPlace() }

    /// Uploads 300,000 bytes, changes the situation, and returns the restarts of a second upload.
    private func restarts(after change: () throws -> Void) async throws -> [TransferRestart] {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        try change()
        let restarts = Locked<[TransferRestart]>([])
        let result = try await upload { progress in
            guard let restart = progress.restart else { return }
            #expect(progress.completedBytes == 0)
            restarts.withLock { $0.append(restart) }
        }
        #expect(result.resumedFrom == (result.restart == nil ? 300_000 : 0))
        #expect(result.restart == restarts.withLock(\.last))
        return restarts.withLock { $0 }
    }

    @Test func `an upload that resumes reports no restart`() async throws {
        #expect(try await restarts {} == [])
    }

    @Test func `an upload of a changed file reports that the file has changed`() async throws {
        #expect(
            try await restarts { try noise(900_000, seed: 2).write(to: file) } == [.fileChanged])
    }

    // Core protocol of tus 1.0: a server responds to HEAD with 404, 410 or 403 if it does not have
    // the upload.
    @Test(arguments: [403, 404, 410])
    func `an upload that the server has deleted reports the status`(status: Int) async throws {
        let restarts = try await restarts { server.state.withLock { $0.refusals = [status] } }
        #expect(restarts == [.uploadRefused(status)])
        #expect(restarts.first?.description.contains("\(status)") == true)
    }

    @Test func `an upload whose URL has another file on the server reports it`() async throws {
        let restarts = try await restarts {
            server.state.withLock { $0.uploads["/files/1"] = .init(length: 5, metadata: nil) }
        }
        #expect(restarts == [.otherUpload])
    }

    @Test func `the request that creates an upload again has the reason for logs`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        server.state.withLock { $0.uploads = [:] }
        let notes = Locked<[String]>([])
        let transport = NotingTransport(base: CurlTransport()) { note in
            notes.withLock { $0.append(note) }
        }
        _ = try await MoyaProvider<Transfer>(transport: transport)
            .resumableUpload(file, to: server.target, options: .eager())
        #expect(notes.withLock { $0 } == ["POST \(TransferRestart.uploadRefused(404))"])
    }

    @Test func `an upload that the server deletes meanwhile reports one restart`() async throws {
        server.state.withLock { $0.cut = 300_000 }
        let restarts = Locked<[TransferRestart]>([])
        let result = try await upload { [server] progress in
            if let restart = progress.restart {
                restarts.withLock { $0.append(restart) }
            } else if progress.completedBytes > 0 {
                server.state.withLock { state in
                    guard state.cut != nil else { return }
                    state.cut = nil
                    state.uploads = [:]
                }
            }
        }
        #expect(result.restart == .uploadRefused(404))
        #expect(restarts.withLock { $0 } == [.uploadRefused(404)])
        #expect(server.contents.contains(data))
    }
}

/// Transport that reports the method and the note of each request with a note.
private struct NotingTransport: Transport {
    let base: any Transport
    let report: @Sendable (String) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let note = RequestNote.current {
            report("\(request.urlRequest.httpMethod ?? "") \(note)")
        }
        return try await base.send(request)
    }
}

/// Reports of downloads that start again from the first byte.
@Suite struct DownloadRestartTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    private func restart(
        tag: String? = "\"one\"", _ change: (inout Origin.Resource) -> Void
    ) async throws -> TransferRestart? {
        var resource = Origin.Resource(data: data, tag: tag, cut: 100_000)
        change(&resource)
        let origin = try Origin(resource)
        let reported = Locked<[TransferRestart]>([])
        let result = try await origin.download(to: file) { [resource = origin.resource] progress in
            if let restart = progress.restart {
                resource.withLock { $0.cut = nil }
                reported.withLock { $0.append(restart) }
            }
        }
        try expectWhole()
        #expect(reported.withLock(\.first) == result.restart)
        return result.restart
    }

    @Test func `a download that resumes reports no restart`() async throws {
        #expect(try await restart { _ in } == nil)
    }

    @Test func `a download from a server that ignores ranges reports the whole file`() async throws
    {
        #expect(try await restart { $0.takesRanges = false } == .wholeForRange)
    }

    @Test func `a download without a validator reports that it cannot be resumed`() async throws {
        #expect(try await restart(tag: nil) { _ in } == .noValidator)
    }

    @Test func `a download that continues with another entity tag reports a changed file`()
        async throws
    {
        let restart = try await restart { resource in
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                var response = response
                response.headers.removeAll { $0.name == "ETag" }
                return response.adding("ETag", "\"two\"")
            }
        }
        #expect(restart == .otherVersion)
    }

    @Test func `a download with the partial file of another URL reports its saved state`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        var options = ResumableDownloadOptions.eager()
        options.identity = "another"
        let result = try await origin.download(to: file, options)
        #expect(result.restart == .savedStateUnusable)
    }
}

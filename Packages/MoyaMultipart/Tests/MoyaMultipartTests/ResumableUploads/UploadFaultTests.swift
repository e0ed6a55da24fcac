import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses of a server to an interrupted upload.
@Suite struct UploadFaultTests: UploadSuite {
    let place: UploadPlace

    init() throws { place = try UploadPlace() }

    @Test func `an upload that the server has deleted starts over`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        server.state.withLock { $0.uploads = [:] }
        try await upload()
        #expect(server.contents == [data])
        server.state.withLock { state in
            state.uploads = [:]
            state.cut = 600_000
        }
        try await upload { [state = server.state] progress in
            // Deletes the upload while it is being sent.
            if progress.completedBytes >= 500_000 {
                state.withLock { state in
                    if state.cut != nil { state.uploads = [:] }
                    state.cut = nil
                }
            }
        }
        #expect(server.contents == [data])
    }

    /// Returns a tus server that acknowledges the first part of each upload, and then responds with
    /// `status` to every request for it.
    private func forgetfulServer(status: Int) throws -> MockServer {
        let count = Locked(0)
        return try MockServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch (request.method, request.value(for: "Upload-Offset") ?? "") {
            // Ends an upload that would start over without end.
            case ("POST", _) where number > 40: return MockResponse(status: 400)
            case ("POST", _): return MockResponse(status: 201).adding("Location", "/files/1")
            case ("PATCH", "0"):
                return MockResponse(status: 204)
                    .adding("Upload-Offset", "\(request.bodyLength)")
            default: return MockResponse(status: status)
            }
        }
    }

    // The protocol allows both statuses for an upload that is gone.
    @Test(arguments: [404, 410], [2, 3])
    func `an upload that the server loses again and again is started as often as attempts allow`(
        status: Int, attempts: Int
    ) async throws {
        let server = try forgetfulServer(status: status)
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: CurlTransport()).resumableUpload(
                file, to: target, options: .eager(attempts: attempts, chunkSize: 400_000))
        }
        let cause = error?.underlyingError as? UploadError
        #expect(cause?.reason == .inconsistentServer)
        #expect(
            cause?.description.hasPrefix("The server keeps deleting the upload.") == true)
        let first = ["POST", "PATCH", "PATCH", "HEAD"]
        #expect(
            server.requests.map(\.method) == (0..<attempts).flatMap { _ in first })
    }

    // The second number is within the file, but beyond the part that was sent.
    @Test(arguments: [1_000_001, 400_001])
    func `a server that acknowledges more bytes than were sent causes an inconsistentServer error`(
        offset: Int
    ) async throws {
        let server = try MockServer { request in
            request.method == "POST"
                ? MockResponse(status: 201).adding("Location", "/files/1")
                : MockResponse(status: 204).adding("Upload-Offset", "\(offset)")
        }
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        let chunkSize: Int64? = offset > 1_000_000 ? nil : 400_000
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: CurlTransport())
                .resumableUpload(file, to: target, options: .eager(chunkSize: chunkSize))
        }
        #expect((error?.underlyingError as? UploadError)?.reason == .inconsistentServer)
        #expect(server.requests.map(\.method) == ["POST", "PATCH"])
    }

    @Test(arguments: ["says nothing of it", "has one of another length"])
    func `an upload starts over if the server reports no offset or another length`(what: String)
        async throws
    {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        server.state.withLock { state in
            if what == "says nothing of it" {
                state.refusals = [200]
            } else {
                state.uploads["/files/1"] = .init(length: 5, metadata: nil)
            }
        }
        let result = try await upload()
        #expect(result.resumedFrom == 0)
        #expect(server.state.withLock { $0.uploads["/files/2"]?.data } == data)
        #expect(server.log.dropFirst(2) == ["HEAD /files/1", "POST /files", "PATCH /files/2 0"])
        #expect(folder.names == ["file"])
    }

    @Test
    func `a server that reports no offset during an upload causes an inconsistentServer error`()
        async throws
    {
        let server = try MockServer { request in
            switch request.method {
            case "POST": MockResponse(status: 201).adding("Location", "/files/1")
            case "PATCH": MockResponse(status: 409)
            default: .text("nothing of it")
            }
        }
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: CurlTransport())
                .resumableUpload(file, to: target, options: .eager())
        }
        #expect((error?.underlyingError as? UploadError)?.reason == .inconsistentServer)
        #expect(server.requests.map(\.method) == ["POST", "PATCH", "HEAD"])
    }

    @Test(arguments: [409, 423, 460, 503], [ValidationType.none, .successCodes])
    func `an upload continues after a response for a busy server or a conflict`(
        status: Int, validation: ValidationType
    ) async throws {
        if status == 503 {
            server.state.withLock { $0.refusals = [status] }
            // Creating the upload is repeated as well.
            try await upload(validation: validation)
        } else {
            let isFirst = Locked(true)
            try await upload(.eager(chunkSize: 500_000), validation: validation) {
                [state = server.state] _ in
                let isTime = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isTime { state.withLock { $0.refusals = [status] } }
            }
        }
        #expect(server.contents == [data])
    }

    @Test(arguments: [400, 401, 404, 412, 500])
    func `an upload that cannot be created fails with the server's response`(status: Int)
        async throws
    {
        server.state.withLock { $0.refusals = Array(repeating: status, count: 3) }
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect(error?.response?.statusCode == status)
        #expect(server.log.count == (status == 500 ? 3 : 1))
    }
}

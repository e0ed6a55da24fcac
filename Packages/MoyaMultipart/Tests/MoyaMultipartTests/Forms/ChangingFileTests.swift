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

/// Forms whose files change during the upload. The server must not receive a complete form.
@Suite(.timeLimit(.minutes(3))) struct ChangingFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.file("f", Data(count: 1 << 20))
    }

    /// Sends the form. Returns the error of the request and its underlying error.
    private func causes(
        of form: MultipartFormData, to url: URL, over transport: any Transport
    ) async -> [any Error] {
        let target = Transfer(
            baseURL: url, path: "/", method: .post, task: .uploadMultipartFormData(form))
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: transport).request(target)
        }
        guard let cause = error?.underlyingError else { return [] }
        let deeper = (cause as? URLError)?.userInfo[NSUnderlyingErrorKey] as? any Error
        return [cause, deeper].compactMap { $0 }
    }

    @Test(arguments: Carrier.allCases, FileChange.allCases)
    func `a file that changes before it is read fails the form's request`(
        carrier: Carrier, change: FileChange
    ) async throws {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        for length in [Int64(3), nil] {
            try Data(count: 1 << 20).write(to: file)
            // Runs after the request has started, when all lengths are known.
            let first = MultipartFormData.PartSequence(length: length) { [file] in
                try change.apply(to: file)
                return Pieces(["one"])
            }
            let form: MultipartFormData = [
                .init(provider: .sequence(first), name: "first"),
                .init(provider: .file(file), name: "file"),
            ]
            let causes = await causes(of: form, to: server.url, over: carrier.transport)
            #expect(causes.contains { $0 as? FileTransferError == .changed(file) }, "\(causes)")
        }
        try await server.waitUntilDisconnected()
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: FileChange.allCases)
    func `a file that changes while it is sent in a form fails the request`(change: FileChange)
        async throws
    {
        // Larger than the socket buffers, so that the file is still being read when the server
        // reads the body.
        let size: Int64 = 64 << 20
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
        let received = Locked(Data())
        let server = try RawServer { [file] connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.read()
            try? change.apply(to: file)
            while true {
                let piece = connection.read()
                guard !piece.isEmpty else { return }
                received.withLock { $0 = Data(($0 + piece).suffix(4)) }
            }
        }
        defer { server.stop() }
        let form: MultipartFormData = [.init(provider: .file(file), name: "file")]
        let causes = await causes(of: form, to: server.url, over: CurlTransport())
        #expect(causes.contains { $0 as? FileTransferError == .changed(file) }, "\(causes)")
        // The closing delimiter ends with these bytes.
        #expect(received.withLock { !$0.suffix(4).elementsEqual("--\r\n".utf8) })
    }

    #if os(Linux)
        @Test
        func `a file without read permission is an error before and during a form's upload`()
            async throws
        {
            // In a child process that drops root's privileges, because root may read every file.
            await #expect(processExitsWith: .success) { [file = file as URL] in
                let form: MultipartFormData = [.init(provider: .file(file), name: "file")]
                let body = try MultipartPlan(form).body
                try #require(chmod(file.path, 0) == 0)
                if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
                #expect(throws: FileTransferError.unreadable(file)) { try MultipartPlan(form) }
                #expect(throws: FileTransferError.unreadable(file)) {
                    var request = URLRequest(url: file)
                    _ = try FileUpload(file: file).makeBody(for: &request)
                }
                await #expect(throws: FileTransferError.cannotBeRead(file, EACCES)) {
                    for try await _ in body {}
                }
            }
        }
    #endif

    @Test func `a form above 4 GiB announces its length`() async throws {
        let size: Int64 = 5 << 30
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
        let form = MultipartFormData(
            boundary: "b", parts: [text("1", name: "a"), .init(provider: .file(file), name: "f")])
        let length = try #require(try MultipartPlan(form).body.length)
        let empty = MultipartFormData(
            boundary: "b",
            parts: [
                text("1", name: "a"),
                .init(
                    provider: .data(Data()), name: "f", fileName: "f",
                    mimeType: "application/octet-stream"),
            ])
        #expect(try MultipartPlan(empty).body.length == length - size)
        let head = Locked("")
        let server = try RawServer { connection in
            let bytes = connection.read(until: "\r\n\r\n")
            head.withLock { $0 = String(decoding: bytes, as: UTF8.self).lowercased() }
            connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
            connection.waitForClient()
        }
        defer { server.stop() }
        let target = Transfer(
            baseURL: server.url, path: "/", method: .post, task: .uploadMultipartFormData(form))
        let response = try await MoyaProvider<Transfer>(transport: CurlTransport()).request(target)
        #expect(response.statusCode == 413)
        #expect(head.withLock { $0.contains("\r\ncontent-length: \(length)\r\n") })
    }
}

/// Change to a file during its upload.
enum FileChange: CaseIterable {
    case shorter, longer

    func apply(to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        switch self {
        case .shorter: try handle.truncate(atOffset: 600_000)
        case .longer:
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("more".utf8))
        }
        try handle.close()
    }
}

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

/// Independent server of the tus protocol: the Python package tuspyserver.
final class PythonTusServer: Sendable {
    private static let script = """
        import os, socket, sys, uvicorn, fastapi, tuspyserver
        app = fastapi.FastAPI()
        app.include_router(tuspyserver.create_tus_router(
            files_dir=sys.argv[1], prefix="files", strict_offset_validation=True))
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        os.dup2(2, 1)
        uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])
        """

    let url: URL
    let folder: TemporaryFolder
    private let program: Program

    init() async throws {
        folder = try TemporaryFolder()
        let output = Pipe()
        program = try Python.run(["-c", Self.script, folder.url.path], output: output)
        // The script prints its port and closes its standard output.
        let said = try await onThread { try output.fileHandleForReading.readToEnd() ?? Data() }
        let port = try #require(Int(String(decoding: said.dropLast(), as: UTF8.self)))
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    var target: Transfer { Transfer(baseURL: url, path: "files/", task: .requestPlain) }

    /// Waits until a file of the server has these bytes. The server writes its last bytes after its
    /// response.
    func hasWritten(_ data: Data) async throws {
        try await until {
            folder.names.contains {
                (try? Data(contentsOf: folder.url.appendingPathComponent($0))) == data
            }
        }
    }
}

@Suite(
    .requires(.python("tuspyserver, uvicorn, fastapi", from: "tuspyserver")),
    .timeLimit(.minutes(3)))
struct TusInteroperabilityTests {
    @Test(arguments: [nil, 700_000] as [Int64?])
    func `tuspyserver receives a file, with and without a cancellation`(chunkSize: Int64?)
        async throws
    {
        let server = try await PythonTusServer()
        let folder = try TemporaryFolder()
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        for seed in 1...2 as ClosedRange<UInt64> {
            let data = noise(3_000_000, seed: seed)
            let file = try folder.file("file-\(seed)", data)
            // A cancelled request keeps its lock for a while. Until then, the server responds that
            // the upload is locked.
            let options = ResumableUploadOptions.eager(attempts: 20, chunkSize: chunkSize)
            if seed > 1 {
                let task = Locked<Task<UploadedFile, any Error>?>(nil)
                task.withLock {
                    $0 = Task {
                        try await provider.resumableUpload(
                            file, to: server.target, options: options
                        ) {
                            if $0.completedBytes > 2_000_000 { task.withLock { $0?.cancel() } }
                        }
                    }
                }
                await #expect(throws: MoyaError.self) { try await task.withLock { $0 }?.value }
            }
            let result = try await provider.resumableUpload(
                file, to: server.target, options: options)
            #expect(result.byteCount == 3_000_000)
            try await server.hasWritten(data)
            if seed > 1, chunkSize != nil { #expect(result.resumedFrom > 0) }
        }
    }
}

import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of the tus protocol that others have written: the Python package tuspyserver.
final class PythonTusServer: Sendable {
    private static let script = """
        import sys, uvicorn, fastapi, tuspyserver
        app = fastapi.FastAPI()
        app.include_router(tuspyserver.create_tus_router(
            files_dir=sys.argv[2], prefix="files", strict_offset_validation=True))
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical")
        """

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONPATH"] = ([packages] + [environment["PYTHONPATH"]].compactMap { $0 })
            .joined(separator: ":")
        process.environment = environment
        return process
    }

    /// Where `scripts/bootstrap --tests` puts what it has from PyPI.
    private static let packages: String = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<6 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(".build/python").path
    }()

    static let isInstalled: Bool = {
        let process = python(["-c", "import tuspyserver, uvicorn, fastapi"])
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    struct Failure: Error {}

    let url: URL
    let folder: Folder
    private let process: Process

    init() async throws {
        folder = try Folder()
        let free = try MockServer()
        free.stop()
        url = free.url
        process = Self.python(["-c", Self.script, "\(free.port)", folder.url.path])
        try process.run()
        while true {
            let answer = try? await CurlTransport().send(TransportRequest(URLRequest(url: url)))
            if answer != nil { break }
            guard process.isRunning else { throw Failure() }
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    var target: Transfer { Transfer(baseURL: url, path: "files/", task: .requestPlain) }

    /// Waits until one of its files has these bytes, the last of which it writes after it has answered.
    func hasWritten(_ data: Data) async throws {
        while !folder.names.contains(where: {
            (try? Data(contentsOf: folder.url.appendingPathComponent($0))) == data
        }) {
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }
}

@Suite(.enabled(if: PythonTusServer.isInstalled), .timeLimit(.minutes(3)))
struct TusInteroperabilityTests {
    @Test(arguments: [nil, 700_000] as [Int64?])
    func `tuspyserver has the file, whole and after a cancel`(chunkSize: Int64?) async throws {
        let server = try await PythonTusServer()
        let folder = try Folder()
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        for seed in 1...2 as ClosedRange<UInt64> {
            let data = noise(3_000_000, seed: seed)
            let file = try folder.file("file-\(seed)", data)
            let options = ResumableUploadOptions.eager(chunkSize: chunkSize)
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

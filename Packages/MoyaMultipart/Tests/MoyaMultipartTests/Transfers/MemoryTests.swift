#if os(Linux)
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

    @Suite struct MemoryTests {
        // Each test runs in a child process, so that it measures only its own memory.

        @Test func `a resumable download of 512 MiB uses bounded memory`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [url = server.url as URL, file = folder.url.appendingPathComponent("file") as URL]
                in
                let size: Int64 = 512 << 20
                let target = Transfer(baseURL: url, path: "/bytes/\(size)", task: .requestPlain)
                let growth = try await PeakMemory.growth {
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    let result = try await provider.resumableDownload(target, to: file) { _ in }
                    #expect(result.byteCount == size)
                }
                #expect(growth < 24 << 10)
            }
        }

        @Test func `a resumable upload of 512 MiB uses bounded memory`() async throws {
            let server = try TusServer()
            server.state.withLock { $0.forgetsBytes = true }
            let folder = try TemporaryFolder()
            let file = try folder.file("file", Data())
            try FileHandle(forWritingTo: file).truncate(atOffset: 512 << 20)
            await #expect(processExitsWith: .success) {
                [url = server.target.baseURL as URL, file = file as URL] in
                let target = Transfer(baseURL: url, path: "files", task: .requestPlain)
                let growth = try await PeakMemory.growth {
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    let result = try await provider.resumableUpload(file, to: target) { _ in }
                    #expect(result.byteCount == 512 << 20)
                }
                #expect(growth < 24 << 10)
            }
        }

        @Test func `a form of 512 MiB uses bounded memory`() async throws {
            let server = try CountingServer()
            let folder = try TemporaryFolder()
            let file = try folder.file("file", Data())
            try FileHandle(forWritingTo: file).truncate(atOffset: 512 << 20)
            await #expect(processExitsWith: .success) {
                [url = server.url as URL, file = file as URL] in
                let form: MultipartFormData = [
                    MultipartFormBodyPart(provider: .data(Data("film".utf8)), name: "title"),
                    MultipartFormBodyPart(provider: .file(file), name: "film"),
                ]
                let target = Transfer(
                    baseURL: url, path: "/", method: .post, task: .uploadMultipartFormData(form))
                let growth = try await PeakMemory.growth {
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    var response: Response?
                    for try await progress in provider.progress(of: target) {
                        response = progress.response
                    }
                    #expect(response?.statusCode == 204)
                }
                #expect(growth > 0)
                #expect(growth < 24 << 10)
            }
            #expect((server.received.withLock { $0.last?.count } ?? 0) > 512 << 20)
        }
    }
#endif

#if os(Linux)
    import Foundation
    @_spi(MoyaInternals) import MoyaCore
    @_spi(MoyaInternals) import MoyaTesting
    import MoyaTransportCurl
    import Testing

    @testable import MoyaMultipart

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite struct MemoryTests {
        // In processes of their own, whose memory is nobody else's.

        @Test func `a download keeps little in memory, however large it is`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [url = server.url as URL, file = folder.url.appendingPathComponent("file") as URL]
                in
                let size: Int64 = 512 << 20
                let target = Transfer(baseURL: url, path: "/bytes/\(size)", task: .requestPlain)
                let growth = try await Growth.highest { look in
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    let result = try await provider.resumableDownload(target, to: file) { _ in
                        look()
                    }
                    #expect(result.byteCount == size)
                }
                #expect(growth < 24 << 10)
            }
        }

        @Test func `an upload keeps little in memory, however large it is`() async throws {
            let server = try TusServer()
            server.state.withLock { $0.forgetsBytes = true }
            let folder = try TemporaryFolder()
            let file = try folder.file("file", Data())
            try FileHandle(forWritingTo: file).truncate(atOffset: 512 << 20)
            await #expect(processExitsWith: .success) {
                [url = server.target.baseURL as URL, file = file as URL] in
                let target = Transfer(baseURL: url, path: "files", task: .requestPlain)
                let growth = try await Growth.highest { look in
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    let result = try await provider.resumableUpload(file, to: target) { _ in
                        look()
                    }
                    #expect(result.byteCount == 512 << 20)
                }
                #expect(growth < 24 << 10)
            }
        }

        @Test func `a form keeps little in memory, however large it is`() async throws {
            let received = Locked(0)
            let server = try RawServer { connection in
                let bytes = connection.read(until: "\r\n\r\n")
                guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
                let field = head.components(separatedBy: "content-length: ").dropFirst().first
                guard let length = field.flatMap({ Int($0.prefix(while: \.isNumber)) }) else {
                    return
                }
                if head.contains("expect: 100-continue") {
                    connection.write("HTTP/1.1 100 Continue\r\n\r\n")
                }
                var missing = length - bytes[end.upperBound...].count
                while missing > 0 {
                    let piece = connection.read()
                    guard !piece.isEmpty else { return }
                    missing -= piece.count
                }
                received.withLock { $0 = length }
                connection.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                connection.halfClose()
            }
            defer { server.stop() }
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
                let growth = try await Growth.highest { look in
                    let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                    let response = try await provider.request(target) { _ in look() }
                    #expect(response.statusCode == 204)
                }
                #expect(growth > 0)
                #expect(growth < 24 << 10)
            }
            #expect(received.withLock { $0 } > 512 << 20)
        }
    }

    /// How much more memory a process has while it does something.
    private enum Growth {
        /// The most there was whenever somebody looked, in KiB above the beginning.
        static func highest(
            _ body: (@escaping @Sendable () -> Void) async throws -> Void
        ) async rethrows -> Int {
            let before = TransportConformance.Footprint.current().residentKiB
            let highest = Locked(0)
            try await body {
                let now = TransportConformance.Footprint.current().residentKiB
                highest.withLock { $0 = max($0, now - before) }
            }
            return highest.withLock { $0 }
        }
    }
#endif

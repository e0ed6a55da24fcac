#if os(Linux)
    import Foundation
    import MoyaCore
    import MoyaTestSupport
    import MoyaTransportCurl
    import Testing

    @testable import MoyaMultipart

    private let isFullSize = ProcessInfo.processInfo.environment["MOYA_LARGE"] == "1"

    /// Transfers of 128 MiB in each direction. With `MOYA_LARGE=1`, 4 GiB, and 4 GiB of disk space.
    /// The time limit then allows for a disk that writes 10 MB a second.
    @Suite(.serialized, .timeLimit(.minutes(isFullSize ? 15 : 3)))
    struct LargeTransferTests {
        private let folder: TemporaryFolder
        /// Size in bytes. Deliberately not a power of two.
        private let size = (isFullSize ? 4 << 30 : 128 << 20) + 1_000_003

        init() throws { folder = try TemporaryFolder() }

        /// Creates a sparse file with data at its end and at a few other offsets. The third is that
        /// of 4 GiB, if the file is so large.
        private func sparseFile() throws -> URL {
            let file = try folder.file("large", noise(100_000))
            let handle = try FileHandle(forWritingTo: file)
            for offset in [size / 4, size / 2, size - 1_050_003, size - 100_000] {
                try handle.seek(toOffset: UInt64(offset))
                try handle.write(contentsOf: noise(100_000, seed: UInt64(offset)))
            }
            try handle.close()
            return file
        }

        /// Prints the measurements of the child process.
        private func say(_ result: ExitTest.Result?) {
            let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
            for line in output.split(separator: "\n") where line.hasSuffix(" KiB.") { print(line) }
        }

        @Test func `a large form arrives in bounded memory`() async throws {
            let file = try sparseFile()
            let server = try CountingServer()
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { [url = server.url as URL, file = file as URL, size = size as Int] in
                let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                func send(_ film: MultipartFormData.FormDataProvider) async throws {
                    let task = RequestTask.uploadMultipartFormData(Self.form(film))
                    let target = Transfer(baseURL: url, path: "/", method: .post, task: task)
                    var response: Response?
                    for try await progress in provider.progress(of: target) {
                        response = progress.response
                    }
                    #expect(response?.statusCode == 204)
                }
                let growth = try await PeakMemory.growth {
                    try await send(.data(Data(count: 2 << 20)))
                } _: {
                    try await send(.file(file))
                }
                print("A form of \(size >> 20) MiB takes \(growth) KiB.")
                #expect(growth < 24 << 10)
            }
            say(result)
            var expected = CountingServer.Received()
            for segment in try MultipartPlan(Self.form(.file(file))).segments {
                switch segment {
                case .bytes(let data): expected.add(data)
                case .file(let url, _): try expected.add(contentsOf: url)
                case .part: Issue.record("a stream")
                }
            }
            #expect(expected.count > size)
            #expect(server.received.withLock { $0.last } == expected)
        }

        private static func form(_ film: MultipartFormData.FormDataProvider) -> MultipartFormData {
            MultipartFormData(
                boundary: "b",
                parts: [
                    text("film", name: "title"),
                    .init(
                        provider: film, name: "film", fileName: "film", mimeType: "video/mp4"),
                ])
        }

        @Test(.requires(.nginx))
        func `a large download from nginx arrives in bounded memory`() async throws {
            let server = try await FileServer()
            let file = server.root.appendingPathComponent("large")
            try FileManager.default.moveItem(at: try sparseFile(), to: file)
            try pattern(2 << 20).write(to: server.root.appendingPathComponent("small"))
            let copy = folder.url.appendingPathComponent("copy")
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { [url = server.url as URL, copy = copy as URL, size = size as Int] in
                let provider = MoyaProvider<Transfer>(transport: CurlTransport())
                func fetch(_ name: String) async throws {
                    let task = RequestTask.download(to: copy, options: .removePreviousFile)
                    let target = Transfer(baseURL: url, path: "/fast/\(name)", task: task)
                    var response: Response?
                    for try await progress in provider.progress(of: target) {
                        response = progress.response
                    }
                    #expect(response?.statusCode == 200)
                }
                let growth = try await PeakMemory.growth {
                    try await fetch("small")
                } _: {
                    try await fetch("large")
                }
                print("A download of \(size >> 20) MiB takes \(growth) KiB.")
                #expect(growth < 24 << 10)
            }
            say(result)
            var (expected, received) = (CountingServer.Received(), CountingServer.Received())
            try expected.add(contentsOf: file)
            try received.add(contentsOf: copy)
            #expect(expected.count == size)
            #expect(received == expected)
        }
    }
#endif

import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Form of random parts, and the parts that a reader must find.
private struct RandomForm {
    var parts: [MultipartFormBodyPart] = []
    var expected: [ReaderServer.Part] = []
    /// Nesting depth of the parts.
    private(set) var depth = 0

    /// - Parameter depth: Maximum nesting depth. Nested parts follow the part that contains them in
    ///   `expected`.
    init(using random: inout SeededGenerator, in folder: TemporaryFolder, depth: Int = 0) throws {
        for index in 0..<Int.random(in: 1...8, using: &random) {
            let name = "\(index)" + String.random(using: &random)
            if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
                add(try RandomForm(using: &random, in: folder, depth: depth - 1), name)
                continue
            }
            // Some readers strip a prefix that looks like a Windows path.
            let fileName = "f_" + String.random(using: &random)
            // Some parts are larger than one chunk.
            let limit = Int.random(in: 0..<100, using: &random) == 0 ? 600_000 : 2_000
            try add(Data.random(upTo: limit, using: &random), name, fileName, folder, &random)
        }
    }

    private mutating func add(_ inner: RandomForm, _ name: String) {
        let name = FormEscaping.normalizingNewlines(of: name)
        parts.append(.init(provider: .mixed(MultipartFormData(parts: inner.parts)), name: name))
        expected.append(.init(Data(), name: name, filename: nil, type: "multipart/mixed"))
        expected += inner.expected
        depth = max(depth, inner.depth + 1)
    }

    private mutating func add(
        _ content: Data, _ name: String, _ fileName: String, _ folder: TemporaryFolder,
        _ random: inout SeededGenerator
    ) throws {
        let type =
            ["image/png", "text/plain; charset=utf-8", nil].randomElement(using: &random) ?? nil
        let name = FormEscaping.normalizingNewlines(of: name)
        let pieces = [content.prefix(content.count / 2), content.dropFirst(content.count / 2)]
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            // Some readers decode a part without a file name as text.
            let text = Data(String.random(using: &random).utf8)
            parts.append(MultipartFormBodyPart(provider: .data(text), name: name))
            expected.append(.init(text, name: name, filename: nil, type: nil))
            return
        case 1:
            parts.append(
                .init(provider: .data(content), name: name, fileName: fileName, mimeType: type))
        case 2:
            let file = try folder.file(UUID().uuidString, content)
            parts.append(
                .init(provider: .file(file), name: name, fileName: fileName, mimeType: type ?? ""))
        case 3:
            let stream = InputStream(data: content)
            parts.append(
                .init(
                    provider: .stream(stream, UInt64(content.count)), name: name,
                    fileName: fileName, mimeType: type))
        default:
            let length = Bool.random(using: &random) ? Int64(content.count) : nil
            let sequence = MultipartFormData.PartSequence(length: length) {
                AsyncStream { continuation in
                    for piece in pieces { continuation.yield(piece) }
                    continuation.finish()
                }
            }
            parts.append(
                .init(provider: .sequence(sequence), name: name, fileName: fileName, mimeType: type)
            )
        }
        expected.append(.init(content, name: name, filename: fileName, type: type))
    }
}

/// Independent parsers read forms that this library has written.
@Suite(.seeded) struct IndependentReaderTests {
    /// Total number of forms for all parsers. 3,000 forms have more than 10,000 files.
    private static let count =
        ProcessInfo.processInfo.environment["MOYA_FORMS"].flatMap(Int.init) ?? 600

    @Test func `independent parsers read names, files and sizes of forms unchanged`() async throws {
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        var readers: [String: ReaderServer] = [:]
        for server in try await ReaderServer.all {
            let list = try await provider.request(
                Transfer(baseURL: server.url, path: "/", task: .requestPlain))
            for name in try list.map([String].self) { readers[name] = server }
        }
        #expect(readers["email"] != nil)
        let each = max(1, Self.count / max(1, readers.count))
        var (partCount, fileCount) = (0, 0)
        for (reader, server) in readers {
            let (parts, files) = try await check(reader, at: server, with: each, provider)
            partCount += parts
            fileCount += files
        }
        // Scales with the number of forms: at least 10,000 parts and files for 3,000 forms.
        #expect(partCount > Self.count * 4)
        #expect(fileCount * 3 > Self.count * 10)
        print(
            readers.keys.sorted().joined(separator: ", "),
            "have read \(partCount) parts, of which \(fileCount) are files")
    }

    #if os(Linux)
        @Test(.requires(.reader("django", "python3/dist-packages/django/__init__.py")))
        func `the reader server offers Django if it is installed`() async throws {
            try await expectReader("django")
        }

        @Test(.requires(.reader("werkzeug", "python3/dist-packages/werkzeug/__init__.py")))
        func `the reader server offers Werkzeug if it is installed`() async throws {
            try await expectReader("werkzeug")
        }

        @Test(
            .requires(
                .reader(
                    "python-multipart", "python3/dist-packages/python_multipart/multipart.py",
                    "python3/dist-packages/multipart/multipart.py")))
        func `the reader server offers python-multipart if it is installed`() async throws {
            try await expectReader("python-multipart")
        }

        @Test(.requires(.go))
        func `the reader server offers Go's mime/multipart if Go is installed`() async throws {
            try await expectReader("go")
        }

        private func expectReader(_ reader: String) async throws {
            let provider = MoyaProvider<Transfer>(transport: CurlTransport())
            var names: [String] = []
            for server in try await ReaderServer.all {
                let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
                names += try await provider.request(target).map([String].self)
            }
            #expect(names.contains(reader))
        }
    #endif

    /// Sends `count` forms. Returns the number of their parts and files.
    private func check(
        _ reader: String, at server: ReaderServer, with count: Int,
        _ provider: MoyaProvider<Transfer>
    ) async throws -> (parts: Int, files: Int) {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(reader)
        let codings: [ContentCoding?] = [.gzip, .deflate, nil, nil]
        var (partCount, fileCount) = (0, 0)
        for _ in 0..<count {
            let form = try RandomForm(using: &random, in: folder)
            partCount += form.parts.count
            fileCount += form.expected.count { $0.filename != nil }
            var task = RequestTask.uploadMultipartFormData(MultipartFormData(parts: form.parts))
            // Go's server does not decode compressed bodies.
            if reader != "go", let coding = codings.randomElement(using: &random) ?? nil {
                task = task.compressed(coding)
            }
            let response = try await provider.request(
                Transfer(baseURL: server.url, path: "/\(reader)", method: .post, task: task))
            try #require(
                response.statusCode == 200,
                "\(reader): \(String(decoding: response.data, as: UTF8.self))")
            let found = try Self.parts(in: response)
            #expect(found.count == form.expected.count, "\(reader)")
            for (found, var expected) in zip(Self.sort(found), Self.sort(form.expected)) {
                // Django strips trailing spaces from names.
                while reader == "django", expected.name?.last == " " { expected.name?.removeLast() }
                #expect(found == expected, "\(reader)")
            }
        }
        return (partCount, fileCount)
    }

    @Test func `nested parts are read unchanged by an independent parser`() async throws {
        let servers = try await ReaderServer.all
        let server = try #require(servers.first)
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let folder = try TemporaryFolder()
        var random = SeededGenerator()
        var deepest = 0
        for _ in 0..<max(1, Self.count / 10) {
            let form = try RandomForm(using: &random, in: folder, depth: 2)
            deepest = max(deepest, form.depth)
            let task = RequestTask.uploadMultipartFormData(MultipartFormData(parts: form.parts))
            let response = try await provider.request(
                Transfer(baseURL: server.url, path: "/email", method: .post, task: task))
            try #require(
                response.statusCode == 200, "\(String(decoding: response.data, as: UTF8.self))")
            #expect(try Self.parts(in: response) == form.expected)
        }
        #expect(deepest == 2)
    }

    /// Returns the parts that a reader has found, with unescaped names.
    private static func parts(in response: Response) throws -> [ReaderServer.Part] {
        try response.map([ReaderServer.Part].self).map { part in
            var part = part
            part.name = part.name.map(FormEscaping.unescape)
            part.filename = part.filename.map(FormEscaping.unescape)
            return part
        }
    }

    private static func sort(_ parts: [ReaderServer.Part]) -> [ReaderServer.Part] {
        parts.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
}

#if os(Linux)
    extension Requirement {
        /// Requires a Python package for the system's Python, installed in one of the files below
        /// /usr/lib.
        fileprivate static func reader(_ name: String, _ files: String...) -> Requirement {
            installed(
                "\(name) for /usr/bin/python3",
                files.contains { FileManager.default.fileExists(atPath: "/usr/lib/\($0)") })
        }
    }
#endif

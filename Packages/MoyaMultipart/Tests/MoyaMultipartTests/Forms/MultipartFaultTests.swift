import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

@Suite struct MultipartFaultTests {
    private func form(_ provider: MultipartFormData.FormDataProvider) -> MultipartFormData {
        [text("first", name: "a"), MultipartFormBodyPart(provider: provider, name: "part")]
    }

    @Test func `a form without parts is an error`() {
        #expect(throws: MultipartFormError.noParts) { try MultipartPlan([]) }
        #expect(throws: MultipartFormError.noParts) { try MultipartPlan(form(.mixed([]))) }
    }

    @Test func `a part that is not a regular file is an error before reading`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appendingPathComponent("missing")
        #expect(throws: FileTransferError.missing(missing)) {
            try MultipartPlan(form(.file(missing)))
        }
        #expect(throws: FileTransferError.notAFile(folder.url)) {
            try MultipartPlan(form(.file(folder.url)))
        }
        let device = URL(fileURLWithPath: "/dev/zero")
        #expect(throws: FileTransferError.notAFile(device)) {
            try MultipartPlan(form(.file(device)))
        }
        let remote = try #require(URL(string: "http://a.test/file"))
        #expect(throws: FileTransferError.notAFile(remote)) {
            try MultipartPlan(form(.file(remote)))
        }
    }

    #if os(macOS) || os(Linux)
        // In a child process, because root may read every file, and changing the user affects the
        // whole process.
        @Test func `a part's file without read permission is an error before reading`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let file = try folder.file("secret", Data())
                try #require(chmod(file.path, 0) == 0)
                let isRoot = geteuid() == 0
                // 65534 is the user `nobody`. access(2) checks the real user ID. The effective user
                // ID is restored afterwards.
                if isRoot { try #require(setreuid(65534, 0) == 0) }
                let form: MultipartFormData = [
                    MultipartFormBodyPart(provider: .file(file), name: "part")
                ]
                #expect(throws: FileTransferError.unreadable(file)) { try MultipartPlan(form) }
                if isRoot { try #require(setreuid(0, 0) == 0) }
            }
        }
    #endif

    @Test func `a part's file that is removed before it is read is an error`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", Data(count: 10))
        let body = try MultipartPlan(form(.file(file))).body
        try FileManager.default.removeItem(at: file)
        await #expect(throws: FileTransferError.missing(file)) { for try await _ in body {} }
    }

    enum Change: CaseIterable {
        case shorter, longer
    }

    @Test(arguments: Change.allCases, [true, false])
    func `a file that changes its length is an error and leaves the form unterminated`(
        change: Change, beforeItsTurn: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", Data(count: 1 << 20))
        let body = try MultipartPlan(form(.file(file))).body
        let alter = {
            let handle = try FileHandle(forWritingTo: file)
            switch change {
            case .shorter: try handle.truncate(atOffset: 600_000)
            case .longer:
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("more".utf8))
            }
            try handle.close()
        }
        if beforeItsTurn { try alter() }
        var sent = Data()
        var isAltered = beforeItsTurn
        do {
            for try await chunk in body {
                sent += chunk
                if !isAltered { try alter() }
                isAltered = true
            }
            Issue.record("ended well")
        } catch {
            #expect(error as? FileTransferError == .changed(file))
        }
        #expect(!sent.suffix(8).elementsEqual("--\r\n".utf8) && sent.count <= (1 << 20) + 400)
    }

    @Test func `a part's stream of another length than announced is an error`() async throws {
        for (said, expected) in [
            (9, MultipartFormError.tooLong("part", 9)),
            (11, .tooShort("part", got: 10, of: 11)),
        ] {
            let stream = InputStream(data: Data(count: 10))
            await #expect(throws: expected) {
                try await encode(form(.stream(stream, UInt64(said))))
            }
        }
        #expect(throws: MultipartFormError.self) {
            try MultipartPlan(form(.stream(InputStream(data: Data()), .max)))
        }
    }

    @Test(arguments: [-1, Int64.min])
    func `a negative part length is an error before reading`(length: Int64) {
        let sequence = MultipartFormData.PartSequence(length: length) { Pieces(["a"]) }
        let cause = "its length is \(length), but must be 0 or more."
        #expect(throws: MultipartFormError.unreadable("part", cause)) {
            try MultipartPlan(form(.sequence(sequence)))
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a FIFO in place of a part's file is an error and does not block`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", Data(count: 10))
        let body = try MultipartPlan(form(.file(file))).body
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        await #expect(throws: FileTransferError.notAFile(file)) { for try await _ in body {} }
    }

    @Test func `a part's stream that fails is an error`() async throws {
        let folder = try TemporaryFolder()
        let stream = try #require(
            InputStream(url: folder.url.appendingPathComponent("missing")))
        let error = await #expect(throws: MultipartFormError.self) {
            try await encode(form(.stream(stream, 3)))
        }
        #expect(error?.description.hasPrefix("The part \"part\" cannot be read: ") == true)
    }

    @Test func `a part's stream that is closed while it is read is an error`() async throws {
        let stream = InputStream(data: Data(count: 1 << 20))
        let body = try MultipartPlan(form(.stream(stream, 1 << 20))).body
        let error = await #expect(throws: MultipartFormError.self) {
            for try await _ in body { stream.close() }
        }
        #expect(error?.description.hasPrefix("The part \"part\"") == true)
    }

    @Test func `part lengths that overflow make the form's length unknown`() throws {
        let parts = (0..<2).map { _ in
            MultipartFormBodyPart(
                provider: .stream(InputStream(data: Data()), UInt64(Int64.max)), name: "s")
        }
        #expect(try MultipartPlan(MultipartFormData(parts: parts)).body.length == nil)
    }

    #if os(Linux)
        @Test func `a file with more bytes than its file system reports is an error`() async throws
        {
            let file = URL(fileURLWithPath: "/proc/version")
            await #expect(throws: FileTransferError.changed(file)) {
                try await encode(form(.file(file)))
            }
        }

        @Test func `a form abandoned halfway closes its file`() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("f", Data(count: 1 << 20))
            let body = try MultipartPlan(form(.file(file))).body
            for try await _ in body {
                #expect(descriptors(of: file) == 1)
                break
            }
            #expect(descriptors(of: file) == 0)
        }

        /// Returns the number of descriptors that refer to the file.
        private func descriptors(of file: URL) -> Int {
            let files = FileManager.default
            let open = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return open.filter {
                (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file.path
            }.count
        }
    #endif
}

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

/// Files and saved states that change before or during an upload.
@Suite struct ChangedUploadTests: UploadSuite {
    let place: UploadPlace

    init() throws { place = try UploadPlace() }

    @Test(arguments: [noise(1_000_000, seed: 2), noise(900_000, seed: 3)])
    func `a file that changed since the last attempt is uploaded from the beginning`(new: Data)
        async throws
    {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        try new.write(to: file)
        let result = try await upload()
        #expect(result.resumedFrom == 0)
        #expect(server.state.withLock { $0.uploads["/files/2"]?.data } == new)
    }

    @Test(arguments: ["grows", "shrinks", "is written to", "is replaced", "goes"])
    func `a file that changes during its upload is an error, and its state is removed`(what: String)
        async throws
    {
        let isDone = Locked(false)
        let error = await #expect(throws: MoyaError.self) {
            try await upload(.eager(chunkSize: 300_000)) { [file] progress in
                let isTime = isDone.withLock { isDone in
                    defer { isDone = isDone || progress.completedBytes >= 600_000 }
                    return !isDone && progress.completedBytes >= 600_000
                }
                guard isTime else { return }
                let handle = try? FileHandle(forUpdating: file)
                switch what {
                case "grows":
                    _ = try? handle?.seekToEnd()
                    try? handle?.write(contentsOf: Data([1]))
                case "shrinks": try? handle?.truncate(atOffset: 700_000)
                case "is written to": try? handle?.write(contentsOf: Data([1]))
                case "is replaced": try? data.write(to: file, options: .atomic)
                default: try? FileManager.default.removeItem(at: file)
                }
                try? handle?.close()
            }
        }
        if what == "goes" {
            #expect(
                error?.underlyingError is FileTransferError || error?.underlyingError is UploadError
            )
        } else {
            #expect((error?.underlyingError as? UploadError)?.reason == .fileChanged)
        }
        #expect(!folder.names.contains { $0.hasSuffix("upload.json") } || what == "goes")
    }

    @Test(.timeLimit(.minutes(3)))
    func `a FIFO in place of the uploaded file is an error and does not block`() throws {
        let identity = try FileIdentity(file)
        let slice = FileSlice(file: file, identity: identity, range: 0..<identity.size) { _ in }
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(throws: FileTransferError.notAFile(file)) { try FileSlice.Chunks(slice: slice) }
    }

    @Test func `a resumable upload of a missing file is an error before any request`() async throws
    {
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect(error?.underlyingError is FileTransferError)
        #expect(server.log.isEmpty)
    }

    @Test(
        arguments: geteuid() == 0 ? ["another user's", "a link", "a pipe"] : ["a link", "a pipe"])
    func `a saved upload state that is a symlink, FIFO or another user's is not used`(what: String)
        async throws
    {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        let name = try #require(folder.names.first { $0.hasSuffix("moya-upload.json") })
        let state = folder.url.appendingPathComponent(name)
        switch what {
        case "a link":
            let kept = folder.url.appendingPathComponent("kept")
            try FileManager.default.moveItem(at: state, to: kept)
            try FileManager.default.createSymbolicLink(at: state, withDestinationURL: kept)
        case "a pipe":
            unlink(state.path)
            try #require(mkfifo(state.path, 0o600) == 0)
        default: try #require(chown(state.path, 65_534, gid_t.max) == 0)
        }
        let result = try await upload()
        #expect(result.resumedFrom == 0)
        #expect(server.log.dropFirst(2) == ["POST /files", "PATCH /files/2 0"])
    }

    @Test func `slices of a file are equal if they send the same bytes`() throws {
        let identity = try FileIdentity(file)
        func slice(_ range: Range<Int64>) -> FileSlice {
            FileSlice(file: file, identity: identity, range: range, progress: { _ in })
        }
        #expect(Set([slice(0..<2), slice(0..<2), slice(1..<2)]).count == 2)
    }

    @Test func `a slice of a file that has changed since is not read`() async throws {
        let identity = try FileIdentity(file)
        let slice = FileSlice(file: file, identity: identity, range: 0..<10) { _ in }
        try Data([1]).write(to: file)
        #expect(throws: UploadError.self) { try FileSlice.Chunks(slice: slice) }
    }
}

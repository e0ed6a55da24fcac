import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

/// Partial downloads in a shared folder are resumed only if no other user can have created them.
@Suite struct ForeignFileTests: DownloadSuite {
    let place: DownloadPlace
    private let origin: Origin
    /// User ID of another user than root and the user of the tests.
    private let stranger: uid_t = 65_534

    init() throws {
        place = try DownloadPlace()
        origin = try Origin(.init(data: place.data, stall: 100_000))
    }

    /// Leaves a partial download of 100,000 bytes.
    private func leaveHalf() async throws {
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { $0.stall = nil }
    }

    private func give(_ file: URL) throws {
        try #require(chown(file.path, stranger, gid_t.max) == 0)
    }

    enum Piece: CaseIterable {
        case part, state
    }

    private func url(_ piece: Piece) -> URL { piece == .part ? part : state }

    @Test(.requires(.root), arguments: Piece.allCases)
    func `a partial download owned by another user is not resumed`(piece: Piece) async throws {
        try await leaveHalf()
        try give(url(piece))
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
    }

    @Test(.requires(.root))
    func `a locked partial file of another user is not changed`() async throws {
        try await leaveHalf()
        try give(part)
        let descriptor = open(part.path, O_RDWR)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inUse)
        #expect(try Data(contentsOf: part).count == 100_000)
    }

    @Test(.requires(.root))
    func `a partial download owned by another user is reported as missing`() async throws {
        try await leaveHalf()
        #expect(PartialDownload.exists(for: file))
        try give(part)
        #expect(!PartialDownload.exists(for: file))
        try PartialDownload.discard(for: file)
        #expect(folder.names == [])
    }

    @Test(arguments: Piece.allCases)
    func `a symbolic link in place of a partial download is not followed or resumed`(
        piece: Piece
    )
        async throws
    {
        try await leaveHalf()
        let elsewhere = try TemporaryFolder()
        let kept = elsewhere.url.appendingPathComponent("kept")
        try FileManager.default.moveItem(at: url(piece), to: kept)
        try FileManager.default.createSymbolicLink(at: url(piece), withDestinationURL: kept)
        let before = try Data(contentsOf: kept)
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
        #expect(try Data(contentsOf: kept) == before)
    }

    @Test(arguments: Piece.allCases)
    func `a FIFO in place of a partial download is replaced without blocking`(piece: Piece)
        async throws
    {
        try await leaveHalf()
        unlink(url(piece).path)
        try #require(mkfifo(url(piece).path, 0o600) == 0)
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
    }

    @Test(arguments: Piece.allCases)
    func `the error for a folder in place of a partial download has its path`(piece: Piece)
        async throws
    {
        try FileManager.default.createDirectory(
            at: url(piece), withIntermediateDirectories: false)
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        let text = (error?.underlyingError as? FileTransferError)?.description
        #expect(text?.contains(url(piece).path) == true)
    }

    @Test
    func `a file that replaces the partial file of a running download does not become the result`()
        async throws
    {
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.cut = 200_000
            resource.change = { [part] response, request in
                if request.value(for: "Range") != nil {
                    unlink(part.path)
                    try? noise(300_000, seed: 2).write(to: part)
                }
                return response
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(error?.underlyingError is FileTransferError)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaLayers

/// The journal in a folder that other users can write to. The oracles are `lstat` and the content
/// of the file that another user wants to have overwritten.
@Suite struct HARJournalTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("session.har") }
    private var journal: URL { folder.file("session.har.journal") }
    private var victim: URL { folder.file("victim") }

    init() throws {
        folder = try TemporaryFolder()
        try Data("{}\n".utf8).write(to: victim)
    }

    /// The type, the permissions and the owner of the journal.
    private func status() throws -> stat {
        var status = stat()
        try #require(lstat(journal.path, &status) == 0)
        return status
    }

    /// Records an exchange, and expects a journal of this user that only this user can read.
    private func expectOwnJournal() async throws {
        let recorder = try HARRecorder(to: file)
        _ = try await StubTransport { try .test($0) }.recording(to: recorder).send(.test())
        let status = try status()
        #expect(status.st_mode & S_IFMT == S_IFREG)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(status.st_uid == geteuid())
        try recorder.finish()
        #expect(try Data(contentsOf: victim) == Data("{}\n".utf8))
        #expect(folder.names.filter { $0 != "target" } == ["session.har", "victim"])
        #expect(try String(contentsOf: file, encoding: .utf8).contains("host.test"))
    }

    @Test func `a HAR journal replaces a symbolic link without writing to its target`()
        async throws
    {
        #expect(symlink(victim.path, journal.path) == 0)
        try await expectOwnJournal()
    }

    @Test func `a HAR journal replaces a symbolic link to a missing file`() async throws {
        #expect(symlink(folder.file("target").path, journal.path) == 0)
        try await expectOwnJournal()
        #expect(!FileManager.default.fileExists(atPath: folder.file("target").path))
    }

    @Test func `an existing HAR journal that others can read gets mode 0600`() async throws {
        try Data().write(to: journal)
        #expect(chmod(journal.path, 0o644) == 0)
        try await expectOwnJournal()
    }

    @Test func `a HAR journal replaces a hard link without writing to its file`() async throws {
        #expect(link(victim.path, journal.path) == 0)
        try await expectOwnJournal()
    }

    @Test func `a HAR journal replaces a FIFO without waiting for its other end`() async throws {
        #expect(mkfifo(journal.path, 0o666) == 0)
        try await expectOwnJournal()
    }

    @Test(.requires(.root))
    func `a HAR journal replaces the file of another user`() async throws {
        try Data("{}\n".utf8).write(to: journal)
        #expect(chmod(journal.path, 0o666) == 0 && chown(journal.path, 65_534, 65_534) == 0)
        try await expectOwnJournal()
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("[{}"))
    }

    @Test func `a link that replaces the HAR journal of a recorder is not written to`()
        async throws
    {
        let recorder = try HARRecorder(to: file)
        let transport = StubTransport { try .test($0) }.recording(to: recorder)
        _ = try await transport.send(.test())
        #expect(unlink(journal.path) == 0 && symlink(victim.path, journal.path) == 0)
        _ = try await transport.send(.test())
        #expect(try status().st_mode & S_IFMT == S_IFREG)
        #expect(try Data(contentsOf: victim) == Data("{}\n".utf8))
    }

    @Test func `recover neither reads nor removes the target of a link`() throws {
        #expect(symlink(victim.path, journal.path) == 0)
        #expect(try !HARRecorder.recover(file))
        #expect(folder.names == ["session.har.journal", "victim"])
    }
}

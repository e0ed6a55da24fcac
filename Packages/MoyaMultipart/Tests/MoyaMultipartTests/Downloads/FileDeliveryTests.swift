import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct FileDeliveryTests {
    private func response(in file: URL) throws -> TransportResponse {
        let url = try #require(URL(string: "http://a.test/"))
        return TransportResponse(head: ResponseHead(statusCode: 200, url: url), body: .file(file))
    }

    @Test func `of concurrent downloads to one destination one succeeds and the others fail`()
        async throws
    {
        let folder = try TemporaryFolder()
        for round in 0..<50 {
            let target = folder.url.appendingPathComponent("download-\(round)")
            let gate = Gate(width: 4)
            // No delivery continues before all destination closures have been called.
            let delivery = FileDelivery { _, _ in
                gate.pass()
                return (target, [])
            }
            let responses = try (0..<4).map {
                try response(in: folder.file("part-\(round)-\($0)", Data("\($0)".utf8)))
            }
            let errors = await errors(of: responses) { response in
                _ = try delivery.deliver(response, from: .memory(), isAccepted: true)
            }
            #expect(errors.count == 3)
            #expect(
                errors.allSatisfy { $0 as? FileTransferError == .occupied(target) }, "\(errors)")
            #expect(try Data(contentsOf: target).count == 1)
        }
        #expect(folder.names.filter { $0.hasPrefix("part") } == [])
    }

    @Test func `a dangling symbolic link at the destination of a download is not followed`() throws
    {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("link")
        let elsewhere = folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.createSymbolicLink(at: target, withDestinationURL: elsewhere)
        let delivery = FileDelivery { _, _ in (target, []) }
        #expect(throws: FileTransferError.occupied(target)) {
            try delivery.deliver(
                response(in: folder.file("part", Data())), from: .memory(), isAccepted: true)
        }
        #expect(folder.names == ["link"])
    }

    @Test func `a downloaded file has default permissions, or those of the file it replaces`()
        throws
    {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("file")
        func mode(_ file: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
        func place(_ options: DownloadOptions) throws {
            let part = try folder.file("part", Data())
            try #require(chmod(part.path, 0o600) == 0)
            let delivery = FileDelivery { _, _ in (target, options) }
            _ = try delivery.deliver(response(in: part), from: .memory(), isAccepted: true)
        }
        try #require(mkfifo(folder.url.appendingPathComponent("pipe").path, 0o666) == 0)
        let usual = try mode(folder.url.appendingPathComponent("pipe"))
        try place([])
        #expect(try mode(target) == usual)
        try #require(chmod(target.path, 0o640) == 0)
        try place(.removePreviousFile)
        #expect(try mode(target) == 0o640)
        #expect(folder.names == ["file", "pipe"])
    }

    @Test func `on a file system without hard links a download is placed, and replaces no file`()
        throws
    {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("file")
        let placement = FilePlacement(replaces: false)
        try placement.claim(target, for: try folder.file("part", Data("new".utf8)))
        #expect(folder.names == ["file"])
        let other = try folder.file("part", Data("other".utf8))
        #expect(throws: FileTransferError.occupied(target)) {
            try placement.claim(target, for: other)
        }
        #expect(try Data(contentsOf: target) == Data("new".utf8))
        #expect(folder.names == ["file", "part"])
    }

    #if os(Linux)
        @Test(.requires(.secondVolume))
        func `a download is copied across volumes without leaving temporary files`() throws {
            let folder = try TemporaryFolder()
            let memory = URL(fileURLWithPath: "/dev/shm/moya-test-\(UUID().uuidString)")
            let files = FileManager.default
            try files.createDirectory(at: memory, withIntermediateDirectories: true)
            defer { try? files.removeItem(at: memory) }
            let target = memory.appendingPathComponent("file")
            let data = noise(300_000)
            for options in [[], .removePreviousFile] as [DownloadOptions] {
                let delivery = FileDelivery { _, _ in (target, options) }
                _ = try delivery.deliver(
                    response(in: folder.file("part", data)), from: .memory(), isAccepted: true)
                #expect(try Data(contentsOf: target) == data)
            }
            let delivery = FileDelivery { _, _ in (target, []) }
            #expect(throws: FileTransferError.occupied(target)) {
                try delivery.deliver(
                    response(in: folder.file("part", Data())), from: .memory(), isAccepted: true)
            }
            #expect(try files.contentsOfDirectory(atPath: memory.path) == ["file"])
            #expect(folder.names == [])
        }
    #endif

    /// Runs `body` for each of `values` on a separate thread. Returns the errors.
    private func errors<Value: Sendable>(
        of values: [Value], _ body: @escaping @Sendable (Value) throws -> Void
    ) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for value in values {
                group.addTask {
                    do {
                        try await onThread { try body(value) }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { errors, error in
                if let error { errors.append(error) }
            }
        }
    }
}

/// Barrier that opens when `width` threads are waiting.
final class Gate: Sendable {
    private let missing: Locked<Int>
    private let open = DispatchSemaphore(value: 0)

    init(width: Int) {
        missing = Locked(width)
    }

    func pass() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { open.signal() }
        if open.wait(timeout: .now() + 60) == .timedOut {
            Issue.record("Fewer threads came than the gate waits for.")
        }
        open.signal()
    }
}

#if os(Linux)
    extension Requirement {
        fileprivate static let secondVolume = Requirement(
            "a second volume", remedy: "Mount a tmpfs at /dev/shm that the user may write to.",
            isMet: FileManager.default.isWritableFile(atPath: "/dev/shm"))
    }
#endif

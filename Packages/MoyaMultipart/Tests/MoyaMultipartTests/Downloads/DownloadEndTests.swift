import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Verification of a file before it gets its name, and the files left after a failure.
@Suite struct DownloadEndTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    // MARK: Checksums

    @Test func `a matching checksum is accepted, and a wrong checksum fails and leaves no file`()
        async throws
    {
        let right = try Checksum(.sha256, of: folder.file("reference", data))
        let base64 = right.digest.base64EncodedString()
        let other = Data(repeating: 7, count: 32)
        for (given, field, isRight) in [
            (right.digest, "", true), (nil, "Repr-Digest", true), (nil, "Content-Digest", true),
            (other, "", false), (nil, "Repr-Digest: wrong", false),
            (nil, "Content-Digest: wrong", false),
        ] as [(Data?, String, Bool)] {
            let origin = try Origin(data)
            let name = field.prefix { $0 != ":" }
            let sent = isRight ? base64 : other.base64EncodedString()
            origin.resource.withLock { resource in
                resource.change = { response, _ in
                    name.isEmpty ? response : response.adding(String(name), "sha-256=:\(sent):")
                }
            }
            var options = ResumableDownloadOptions.eager()
            options.checksum = try given.map { try Checksum(.sha256, digest: $0) }
            options.placement = .removePreviousFile
            if isRight {
                try await origin.download(to: file, options)
                #expect(try Data(contentsOf: file) == data)
                try FileManager.default.removeItem(at: file)
            } else {
                let error = await #expect(throws: MoyaError.self, "\(field)") {
                    try await origin.download(to: file, options)
                }
                let cause = error?.underlyingError as? DownloadError
                #expect(cause?.reason == .checksumMismatch, "\(field)")
            }
            #expect(folder.names == ["reference"], "\(field)")
        }
    }

    /// Delivery of the body that has a digest.
    enum Shape: CaseIterable {
        case whole, chunked, cutShort, shared
    }

    @Test(arguments: Shape.allCases, [true, false])
    func `the Content-Digest of a whole file is verified for every kind of delivery`(
        shape: Shape, isRight: Bool
    ) async throws {
        let origin = try Origin(data)
        var digester = Digester(.sha256)
        digester.update(data)
        let digest = isRight ? digester.finalize() : Data(count: 32)
        origin.resource.withLock { resource in
            resource.isChunked = shape == .chunked
            if shape == .cutShort { resource.cut = 200_000 }
            resource.change = { response, request in
                // Responses with ranges have no digest.
                guard request.value(for: "Range") == nil else { return response }
                return response.adding(
                    "Content-Digest", "sha-256=:\(digest.base64EncodedString()):")
            }
        }
        let options = ResumableDownloadOptions.eager(connections: shape == .shared ? 4 : 1)
        guard !isRight else {
            try await origin.download(to: file, options)
            return try expectWhole()
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, options)
        }
        #expect((error?.underlyingError as? DownloadError)?.reason == .checksumMismatch)
        #expect(folder.names == [])
    }

    @Test func `a wrong Content-Digest of a partial response fails the download`() async throws {
        let origin = try Origin(.init(data: data, cut: 200_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                return response.adding(
                    "Content-Digest", "sha-256=:\(Data(count: 32).base64EncodedString()):")
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .checksumMismatch)
        #expect(folder.names == [])
    }

    // MARK: Cancelling

    @Test(arguments: [true, false])
    func `a cancel after the last byte keeps the partial file and creates no final file`(
        isChecked: Bool
    )
        async throws
    {
        var options = ResumableDownloadOptions.eager()
        if isChecked {
            options.checksum = try Checksum(.sha256, of: folder.file("reference", data))
        }
        let transport = StubTransport {
            try .stub(headers: [HeaderField(name: "ETag", value: "\"one\"")], data: data, for: $0)
        }
        let target = Transfer(
            baseURL: URL(fileURLWithPath: "/"), path: "file", task: .requestPlain)
        let task = Locked<Task<DownloadedFile, any Error>?>(nil)
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let download = Task { [file, options] in
            for await _ in ready {}
            return try await MoyaProvider<Transfer>(transport: transport)
                .resumableDownload(target, to: file, options: options) { _ in
                    task.withLock { $0 }?.cancel()
                }
        }
        task.withLock { $0 = download }
        isReady.finish()
        let error = await #expect(throws: MoyaError.self) { try await download.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(PartialDownload.exists(for: file))
    }

    // MARK: Files after a failure

    @Test func `a failed download that cannot be resumed leaves no files`() async throws {
        let origin = try Origin(.init(data: data, tag: nil, cut: 200_000))
        await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(folder.names == [])
        origin.resource.withLock { $0.refusals = [.text("none", status: 404)] }
        await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(folder.names == [])
        origin.resource.withLock { $0 = .init(data: data, cut: 0) }
        await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(folder.names == [])
    }

    @Test func `a foreign file that replaces an unresumable partial file is kept`() async throws {
        let origin = try Origin(.init(data: data, tag: nil))
        let other = noise(300_000, seed: 2)
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file) { [part] _ in
                unlink(part.path)
                try? other.write(to: part)
            }
        }
        #expect(error?.underlyingError is FileTransferError)
        #expect(try Data(contentsOf: part) == other)
    }

    @Test func `a failed attempt keeps the bytes of an earlier attempt`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.refusals = [.text("none", status: 404)]
        }
        await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(PartialDownload.exists(for: file))
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range").last == "bytes=100000-")
    }

    @Test(arguments: ["empty", "without a state", "with a state of nothing"])
    func `an unusable partial download is reported as missing and can be discarded`(what: String)
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        #expect(PartialDownload.exists(for: file))
        switch what {
        case "empty": try Data().write(to: part)
        case "without a state": try FileManager.default.removeItem(at: state)
        default: try Data("{}".utf8).write(to: state)
        }
        #expect(!PartialDownload.exists(for: file))
        try PartialDownload.discard(for: file)
        #expect(folder.names == [])
    }

    @Test
    func `an ended download releases its partial file even while its DownloadRun is retained`()
        async throws
    {
        let origin = try Origin(.init(data: data, cut: 100_000))
        let run = try DownloadRun(
            Requester(origin.target, MoyaProvider<Transfer>(transport: CurlTransport())),
            to: FixedDestination(file: file, options: []), options: .eager(attempts: 1),
            reporter: FileProgressReporter(nil))
        await #expect(throws: (any Error).self) { try await run.run() }
        origin.resource.withLock { $0 = .init(data: data) }
        try await origin.download(to: file)
        withExtendedLifetime(run) {}
        try expectWhole()
        #expect(origin.values("Range").last == "bytes=100000-")
    }
}

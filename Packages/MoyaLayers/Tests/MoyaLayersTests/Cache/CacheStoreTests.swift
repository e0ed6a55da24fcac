import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private func response(_ body: String, tag: String = "a") -> StoredResponse {
    StoredResponse(
        statusCode: 200, url: url("http://host.test/"), httpVersion: "HTTP/2",
        fields: [HeaderField(name: "ETag", value: tag), HeaderField(name: "Ä", value: "ö")],
        body: Data(body.utf8), requestTime: Date(timeIntervalSince1970: 1.5),
        responseTime: Date(timeIntervalSince1970: 2.25), selectors: ["accept": .max])
}

/// Increments the number in the body of a response.
@Sendable private func countUp(_ stored: inout [StoredResponse]) {
    let count = stored.first.flatMap { Int(String(decoding: $0.body, as: UTF8.self)) } ?? 0
    stored = [response("\(count + 1)")]
}

/// A temporary folder, removed with the last reference.
private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "store-\(UUID().uuidString)")
    deinit { try? FileManager.default.removeItem(at: url) }

    var files: [URL] {
        let all = try? FileManager.default.contentsOfDirectory(
            at: url, includingPropertiesForKeys: nil)
        // The lock file is never removed.
        return (all ?? []).filter { $0.lastPathComponent != FolderLock.name }
            .sorted { $0.path < $1.path }
    }

    var size: Int {
        files.reduce(0) { sum, file in
            sum + ((try? Data(contentsOf: file).count) ?? 0)
        }
    }
}

/// A store that waits up to a minute for the lock, so that no update is lost under load.
@Sendable private func patientStore(_ folder: URL) -> DiskCacheStore {
    DiskCacheStore(folder: folder, lock: FolderLock(folder: folder, attempts: 60_000))
}

@Suite struct CacheStoreTests {
    @Test func `memory and disk stores return the responses that they were given`() async {
        let folder = Folder()
        let stores: [any CacheStore] = [MemoryCacheStore(), DiskCacheStore(folder: folder.url)]
        for store in stores {
            #expect(await store.responses(for: "a").isEmpty)
            await store.update("a") { $0 = [response("one"), response("", tag: "b")] }
            await store.update("b") { $0 = [response("two")] }
            #expect(
                await store.responses(for: "a") == [response("one"), response("", tag: "b")])
            await store.update("a") { $0.removeFirst() }
            #expect(await store.responses(for: "a") == [response("", tag: "b")])
            await store.update("a") { $0 = [] }
            #expect(await store.responses(for: "a").isEmpty)
            await store.removeAll()
            #expect(await store.responses(for: "b").isEmpty)
        }
        #expect(folder.files.isEmpty)
    }

    @Test func `the memory store stays within its limit and keeps recently used entries`() async {
        let store = MemoryCacheStore(limit: 20_000)
        await store.update("used") { $0 = [response(String(repeating: "x", count: 1000))] }
        for index in 0..<100 {
            await store.update("\(index)") { $0 = [response(String(repeating: "x", count: 1000))] }
            _ = await store.responses(for: "used")
            #expect(store.size <= 20_000)
        }
        #expect(await store.responses(for: "used").count == 1)
        #expect(await store.responses(for: "0").isEmpty)
        #expect(await store.responses(for: "99").count == 1)
        await store.update("big") { $0 = [response(String(repeating: "x", count: 20_001))] }
        #expect(await store.responses(for: "big").isEmpty)
    }

    @Test func `the memory store evicts entries in the order in which they were stored`() async {
        let store = MemoryCacheStore(limit: 20_000)
        let keys = (0..<40).map { "\($0)" }
        for key in keys {
            await store.update(key) { $0 = [response(String(repeating: "x", count: 1000))] }
        }
        var stored: [String] = []
        for key in keys where await !store.responses(for: key).isEmpty { stored.append(key) }
        #expect(stored.count > 10)
        #expect(stored == keys.suffix(stored.count))
    }

    @Test func `disk store files are readable by a later store and private to the owner`()
        async throws
    {
        let folder = Folder()
        await DiskCacheStore(folder: folder.url).update("a") { $0 = [response("one")] }
        #expect(await DiskCacheStore(folder: folder.url).responses(for: "a").count == 1)
        let file = try #require(folder.files.first)
        for (path, mode) in [(file.path, 0o600), (folder.url.path, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
    }

    @Test func `a truncated disk cache file is not served`() async throws {
        let folder = Folder()
        let store = DiskCacheStore(folder: folder.url)
        await store.update("a") { $0 = [response("one"), response("two")] }
        let file = try #require(folder.files.first)
        let whole = try Data(contentsOf: file)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: file)
            #expect(await store.responses(for: "a").isEmpty, "after \(count) bytes")
        }
        await store.update("a") { $0 = [response("new")] }
        #expect(await store.responses(for: "a") == [response("new")])
    }

    @Test func `a disk cache record with a changed byte is rejected`() throws {
        let whole = try CacheRecord(key: "a", responses: [response("one")]).encoded()
        #expect(CacheRecord(whole)?.key == "a")
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x20
            #expect(CacheRecord(damaged) == nil, "byte \(index)")
        }
    }

    @Test func `an old partial file of a dead process is removed, and foreign files are kept`()
        async throws
    {
        let folder = Folder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let dead = folder.url.appendingPathComponent("dead.part")
        let foreign = folder.url.appendingPathComponent("notes.txt")
        try Data("half".utf8).write(to: dead)
        try Data("mine".utf8).write(to: foreign)
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 7200], ofItemAtPath: dead.path)
        let store = DiskCacheStore(folder: folder.url)
        await store.update("a") { $0 = [response("one")] }
        #expect(!FileManager.default.fileExists(atPath: dead.path))
        await store.removeAll()
        #expect(FileManager.default.fileExists(atPath: foreign.path))
    }

    @Test func `two disk stores that share a folder stay near the size limit`() async {
        let folder = Folder()
        let limit = 100_000
        let stores = [
            DiskCacheStore(folder: folder.url, limit: limit),
            DiskCacheStore(folder: folder.url, limit: limit),
        ]
        for index in 0..<200 {
            await stores[index % 2].update("\(index)") {
                $0 = [response(String(repeating: "x", count: 3000))]
            }
            // Each store may exceed the limit by an eighth until its next scan.
            #expect(folder.size <= limit + limit / 4 + 4000)
        }
        #expect(await stores[0].responses(for: "199").count == 1)
        #expect(await stores[0].responses(for: "0").isEmpty)
    }

    @Test func `disk stores that share a folder never read a partial response`() async {
        let folder = Folder()
        let stores = (0..<4).map { _ in patientStore(folder.url) }
        let valid = (0..<4).map { response(String(repeating: "\($0)", count: 5000 * $0)) }
        await withTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for _ in 0..<50 {
                        await store.update("a") { $0 = [valid[index]] }
                        let seen = await store.responses(for: "a")
                        #expect(seen.count == 1 && valid.contains(seen[0]))
                    }
                }
            }
        }
        #expect(folder.files.count == 1)
    }

    @Test func `disk stores that share a folder lose no update`() async {
        let folder = Folder()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = patientStore(folder.url)
                    for _ in 0..<25 { await store.update("count", countUp) }
                }
            }
        }
        let stored = await DiskCacheStore(folder: folder.url).responses(for: "count")
        #expect(stored == [response("100")])
    }

    // Exit tests capture values with Swift 6.3 and later.
    #if compiler(>=6.3)
        private static func count(in folder: URL) async {
            await #expect(processExitsWith: .success) {
                [path = folder.path as String] in
                let store = patientStore(URL(fileURLWithPath: path))
                for _ in 0..<100 { await store.update("count", countUp) }
            }
        }

        @Test func `processes that share a cache folder lose no update`() async {
            let folder = Folder()
            async let first: Void = Self.count(in: folder.url)
            async let second: Void = Self.count(in: folder.url)
            _ = await (first, second)
            let stored = await DiskCacheStore(folder: folder.url).responses(for: "count")
            #expect(stored == [response("200")])
        }
    #endif

    @Test func `waiting for a folder lock that is not released gives up after its attempts`() {
        let folder = Folder()
        try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let (lock, other) = (
            FolderLock(folder: folder.url), FolderLock(folder: folder.url, attempts: 2)
        )
        let outcomes = lock.withLock { first in other.withLock { (first, $0) } }
        #expect(outcomes == (.acquired, .timedOut))
        #expect(other.withLock { $0 } == .acquired)
    }

    @Test func `a disk store in a folder that cannot be written stores nothing`() async {
        let store = DiskCacheStore(folder: URL(fileURLWithPath: "/dev/null/cache"))
        await store.update("a") { $0 = [response("one")] }
        #expect(await store.responses(for: "a").isEmpty)
        await store.removeAll()
    }
}

import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaLayers

@Suite struct CacheBoundTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func `A response with a validator and a status that is cacheable by default is stored`(
        status: Int
    ) async throws {
        let origin = Origin(["ETag": "\"a\""])
        origin.page.status = status
        #expect(try await cache(origin).send(.test()).cacheStatus?.isStored == true)
    }

    @Test(arguments: [302, 303, 307, 400, 401, 403, 500, 502, 503, 504])
    func `A response with a lifetime is stored although its status is not cacheable by default`(
        status: Int
    ) async throws {
        for (lifetime, isStored) in [
            ("max-age=60", true), ("max-age=60, must-understand", true), ("private", false),
        ] {
            let origin = Origin(["Cache-Control": lifetime, "ETag": "\"a\""])
            origin.page.status = status
            #expect(try await cache(origin).send(.test()).cacheStatus?.isStored == isStored)
            await store.removeAll()
        }
    }

    @Test(arguments: [("max-age=60", true), ("max-age=60, must-understand", false)])
    func `A response with an unknown status that must be understood is not stored`(
        lifetime: String, isStored: Bool
    ) async throws {
        let origin = Origin(["Cache-Control": lifetime])
        origin.page.status = 418
        #expect(try await cache(origin).send(.test()).cacheStatus?.isStored == isStored)
    }

    @Test(arguments: [true, false])
    func `A body as large as the limit is storable, and a larger one is not`(isFile: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let data = Data("hello".utf8)
        try data.write(to: file)
        var response = try TransportResponse.test(.test(), 200, [:])
        response.body = isFile ? .file(file) : .data(data)
        #expect(response.storableBody(limit: 5) == data)
        #expect(response.storableBody(limit: 4) == nil)
    }

    @Test func `A request in flight may store its response after another one for its key ends`() {
        let fills = CacheFills()
        let (first, second) = (fills.begin("a"), fills.begin("a"))
        fills.end(first)
        #expect(fills.isCurrent(second))
        fills.invalidate("b")
        #expect(fills.isCurrent(second))
        fills.invalidate("a")
        #expect(!fills.isCurrent(second))
        fills.end(second)
        let third = fills.begin("a")
        #expect(fills.isCurrent(third))
    }

    @Test func `A request in flight does not store its response after 1,001 other keys changed`() {
        let fills = CacheFills()
        let old = fills.begin("old")
        fills.invalidate("a")
        let new = fills.begin("a")
        for number in 1...999 { fills.invalidate("key \(number)") }
        #expect(fills.isCurrent(old) && fills.isCurrent(new))
        // The changed keys are forgotten, so either might have changed.
        fills.invalidate("key 1000")
        #expect(!fills.isCurrent(old) && !fills.isCurrent(new))
        #expect(fills.isCurrent(fills.begin("old")))
    }

    @Test func `A folder lock with a single attempt acquires a free lock`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(FolderLock(folder: folder, attempts: 1).withLock { $0 } == .acquired)
    }
}

import Foundation
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

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

    @Test func `A folder lock with a single attempt acquires a free lock`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(FolderLock(folder: folder, attempts: 1).withLock { $0 } == .acquired)
    }
}

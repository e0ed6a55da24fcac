// Tests against recorded responses: a cassette replaces the network.
import Bookshelf
import Foundation
import Moya
import MoyaTesting
import Testing

@Suite struct RecordedShelfTests {
    private let cassette: CassetteTransport
    private let shelf: Shelf

    init() throws {
        let file = try #require(Bundle.module.url(forResource: "bookshelf", withExtension: "har"))
        // To record: CurlTransport().cassette(at: file, mode: .all), with a file in this folder.
        cassette = try CassetteTransport(at: file, mode: .none)
        shelf = Shelf(provider: MoyaProvider(transport: cassette))
    }

    @Test func `the shelf decodes the recorded responses`() async throws {
        #expect(try await shelf.titles(matching: "emma") == ["Emma"])
        await #expect(throws: Shelf.Failure.noSuchBook) { try await shelf.book(404) }
        #expect(cassette.allPlayed)
    }

    @Test func `the shelf fails requests that were not recorded`() async {
        await #expect(throws: Shelf.Failure.self) { try await shelf.book(2) }
        #expect(cassette.unplayed.count == 2)
    }
}

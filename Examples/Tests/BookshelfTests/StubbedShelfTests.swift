// Tests how the app handles responses, without a network: a stubbed provider replaces the real one.
import Bookshelf
import Foundation
import Moya
import MoyaTesting
import Testing

@Suite struct StubbedShelfTests {
    private let provider = StubbedProvider<BookAPI>()
    private var shelf: Shelf { Shelf(provider: provider) }

    @Test func `the shelf shows sample data where no stub is set`() async throws {
        #expect(try await shelf.book(1).title == "Emma")
    }

    @Test func `searching reads all pages`() async throws {
        let books = (1...3).map { Book(id: $0, title: "Volume \($0)", author: "A") }
        provider.stub(
            .search("volume", page: 1),
            with: try .json(SearchPage(books: Array(books[..<2]), hasMore: true)))
        provider.stub(
            .search("volume", page: 2),
            with: try .json(SearchPage(books: Array(books[2...]), hasMore: false)))
        #expect(
            try await shelf.titles(matching: "volume") == ["Volume 1", "Volume 2", "Volume 3"])
        #expect(
            provider.requests.map(\.target) == [
                .search("volume", page: 1), .search("volume", page: 2),
            ])
    }

    @Test(arguments: [
        (Stub.response(404), Shelf.Failure.noSuchBook), (.failure(.timedOut), .offline),
        (.response(503), .unavailable), (.response(200, data: Data("no JSON".utf8)), .unavailable),
    ])
    func `a failed request is the matching shelf failure`(stub: Stub, failure: Shelf.Failure) async
    {
        provider.stub(.book(id: 7), with: stub)
        await #expect(throws: failure) { try await shelf.book(7) }
    }

    @Test func `removing a book that is already gone succeeds`() async throws {
        provider.stub(.remove(id: 7), with: .response(404))
        try await shelf.remove(7)
        #expect(provider.requestCount(of: .remove(id: 7)) == 1)
    }
}

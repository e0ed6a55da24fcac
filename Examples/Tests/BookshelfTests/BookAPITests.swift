// Checks every request of the app: offline, against the service's OpenAPI document, and against a
// server.
import Bookshelf
import Foundation
import Moya
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@Suite struct BookAPITests {
    private let catalog = TargetCatalog<BookAPI> {
        BookAPI.search("emma", page: 1).expecting(SearchPage.self)
        BookAPI.book(id: 1).expecting(Book.self)
        BookAPI.add(NewBook(title: "Emma", author: "Jane Austen")).expecting(Book.self)
        BookAPI.remove(id: 1).expecting(.noBody)
    }

    private func document() throws -> OpenAPIDocument {
        let file = try #require(Bundle.module.url(forResource: "openapi", withExtension: "json"))
        return try OpenAPIDocument(contentsOf: file)
    }

    @Test func `every request is sound and matches the service's OpenAPI document`() throws {
        let report = catalog.check(with: provider(), against: try document())
        try report.requireNoProblems()
    }

    @Test func `every request gets the response that the app expects`() async throws {
        let server = try MockServer { _ in MockResponse(status: 404) }
        defer { server.stop() }
        server.on("GET", "/v1/books") { _ in .json(SearchPage(books: [], hasMore: false)) }
        server.on("POST", "/v1/books") { _ in
            .json(Book(id: 1, title: "Emma", author: "Jane Austen"), status: 201)
        }
        server.on("GET", "/v1/books/{id}") { request in
            .json(
                Book(
                    id: Int(request.parameters["id"] ?? "") ?? 0, title: "Emma",
                    author: "Jane Austen"))
        }
        server.on("DELETE", "/v1/books/{id}") { _ in MockResponse(status: 204, body: .none) }
        let report = await catalog.checkLive(
            with: provider(), at: server.url.appendingPathComponent("v1"))
        // To keep the report as a page: API_CHECK_REPORT=$PWD/report.html swift test
        if let path = ProcessInfo.processInfo.environment["API_CHECK_REPORT"] {
            try report.writeHTML(to: URL(fileURLWithPath: path))
        }
        try report.requireNoProblems()
    }

    private func provider() -> MoyaProvider<BookAPI> { MoyaProvider(transport: CurlTransport()) }
}

// Tests over real sockets: the requests as they are sent, and servers that fail.
import Bookshelf
import Foundation
import Moya
import MoyaMockServer
import MoyaTransportCurl
import Testing

@Suite struct ServedShelfTests {
    /// A shelf with the app's transport, whose requests go to `server`.
    private func shelf(on server: MockServer) -> Shelf {
        let transport = CurlTransport().retrying(.exponential(base: 0.01))
        return Shelf(
            provider: MoyaProvider(
                endpointClosure: { target in
                    Endpoint(
                        url: server.url.absoluteString + target.path,
                        sampleResponseClosure: { .networkResponse(200, target.sampleData) },
                        method: target.method, task: target.task,
                        httpHeaderFields: target.headers)
                },
                transport: transport))
    }

    @Test func `adding a book sends it as JSON`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.on("POST", "/books") { request in
            let sent = try? JSONDecoder().decode(NewBook.self, from: request.body)
            return .json(
                Book(id: 9, title: sent?.title ?? "", author: sent?.author ?? ""), status: 201)
        }
        let book = try await shelf(on: server).add(NewBook(title: "Persuasion", author: "Austen"))
        #expect(book == Book(id: 9, title: "Persuasion", author: "Austen"))
        #expect(server.requests.first?.value(for: "Content-Type") == "application/json")
    }

    @Test func `searching sends the words in the query`() async throws {
        let server = try MockServer { _ in .json(SearchPage(books: [], hasMore: false)) }
        defer { server.stop() }
        _ = try await shelf(on: server).titles(matching: "sense & sensibility")
        let items = server.requests.first?.queryItems ?? []
        #expect(items.contains(URLQueryItem(name: "q", value: "sense & sensibility")))
    }

    @Test func `the shelf retries a request that was refused or lost`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(
            MockResponse(status: 503), .silence(then: .close),
            .json(Book(id: 1, title: "Emma", author: "Austen")))
        #expect(try await shelf(on: server).book(1).title == "Emma")
        #expect(server.requests.count == 3)
    }

    @Test func `a truncated book is an offline failure`() async throws {
        let server = try MockServer { _ in
            .json(Book(id: 1, title: "Emma", author: "Austen")).truncated(after: 10)
        }
        defer { server.stop() }
        let shelf = shelf(on: server)
        await #expect(throws: Shelf.Failure.offline) { try await shelf.book(1) }
    }
}

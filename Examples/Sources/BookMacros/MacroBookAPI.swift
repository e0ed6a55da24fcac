#if Macros
    import Bookshelf
    import Moya
    import MoyaMacros

    /// API of the book service: the same as ``BookAPI``, declared by macros.
    @API("https://books.example/v1", headers: ["Accept": "application/json"])
    public enum MacroBookAPI: Equatable, Sendable {
        @GET(
            "/books", SearchPage.self, sample: SearchPage(books: [emma], hasMore: false),
            example: ["q": "emma", "page": 1])
        case search(q: String, page: Int)

        @GET("/books/{id}", Book.self, sample: emma, example: ["id": 1])
        case book(id: Int)

        @POST(
            "/books", Book.self, body: "book", sample: emma,
            example: ["book": NewBook(title: "Emma", author: "Jane Austen")])
        case add(book: NewBook)

        @DELETE("/books/{id}", Void.self, example: ["id": 1])
        case remove(id: Int)
    }

    /// Book in the sample responses.
    private let emma = Book(id: 1, title: "Emma", author: "Jane Austen")
#endif

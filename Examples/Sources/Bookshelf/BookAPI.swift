import Foundation
import Moya

/// API of the book service.
public enum BookAPI: TargetType, Equatable {
    case search(String, page: Int)
    case book(id: Int)
    case add(NewBook)
    case remove(id: Int)

    public var baseURL: URL { URL(string: "https://books.example/v1") ?? URL(fileURLWithPath: "/") }

    public var path: String {
        switch self {
        case .search, .add: "/books"
        case .book(let id), .remove(let id): "/books/\(id)"
        }
    }

    public var method: Moya.Method {
        switch self {
        case .search, .book: .get
        case .add: .post
        case .remove: .delete
        }
    }

    public var task: Task {
        switch self {
        case .search(let text, let page):
            .requestParameters(
                parameters: ["q": text, "page": page], encoding: URLEncoding.queryString)
        case .add(let book): .requestJSONEncodable(book)
        case .book, .remove: .requestPlain
        }
    }

    public var headers: [String: String]? { ["Accept": "application/json"] }
    public var validationType: ValidationType { .successCodes }

    public var sampleData: Data {
        switch self {
        case .search:
            Data(
                #"{"books":[{"id":1,"title":"Emma","author":"Jane Austen"}],"hasMore":false}"#.utf8)
        case .book, .add: Data(#"{"id":1,"title":"Emma","author":"Jane Austen"}"#.utf8)
        case .remove: Data()
        }
    }
}

/// A book on the shelf.
public struct Book: Codable, Equatable, Sendable {
    public var id: Int
    public var title: String
    public var author: String

    public init(id: Int, title: String, author: String) {
        self.id = id
        self.title = title
        self.author = author
    }
}

/// A book to add. The service assigns its `id`.
public struct NewBook: Codable, Equatable, Sendable {
    public var title: String
    public var author: String

    public init(title: String, author: String) {
        self.title = title
        self.author = author
    }
}

/// One page of search results.
public struct SearchPage: Codable, Equatable, Sendable {
    public var books: [Book]
    public var hasMore: Bool

    public init(books: [Book], hasMore: Bool) {
        self.books = books
        self.hasMore = hasMore
    }
}

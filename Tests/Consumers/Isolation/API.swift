// Targets and models of an app whose module isolates its declarations to the main actor by default.
// Targets declare their conformance with the type: a conformance in an extension would be isolated
// to the main actor, and a provider could not use it.
public import Foundation
public import Moya

public enum Shelf: TargetType, Equatable {
    case books(page: Int)
    case book(id: Int)
    case add(Book)
    case cover(id: Int)

    public var baseURL: URL { Service.base }
    public var path: String {
        switch self {
        case .books, .add: "/books"
        case .book(let id): "/books/\(id)"
        case .cover(let id): "/books/\(id)/cover"
        }
    }
    public var method: Moya.Method {
        if case .add = self { .post } else { .get }
    }
    public var task: Moya.Task {
        switch self {
        case .books(let page):
            .requestParameters(parameters: ["page": page], encoding: URLEncoding.queryString)
        case .add(let book): .requestJSONEncodable(book)
        case .book, .cover: .requestPlain
        }
    }
    public var headers: [String: String]? { nil }
    public var validationType: ValidationType { .successCodes }
    public var sampleData: Data { Data(#"{"id":1,"title":"Emma"}"#.utf8) }
}

/// Models also declare their conformances with the type: `JSONDecoder` decodes off the main actor.
public nonisolated struct Book: Codable, Equatable, Identifiable, Sendable {
    public var id: Int
    public var title: String
}

/// `nonisolated`, because providers read the properties of targets on their own threads.
nonisolated enum Service {
    static let base = URL(string: "https://books.example/v1") ?? URL(fileURLWithPath: "/")
}

import Foundation
import MoyaCore
import MoyaTesting

/// An API whose cases mostly have a defect.
enum Forum: TargetType, CustomStringConvertible {
    case posts
    case post(Int)
    case search(String)
    case rename(String)
    case delete
    case secret
    case forgotten

    enum Name: CaseIterable { case posts, post, search, rename, delete, secret, forgotten }

    var name: Name {
        switch self {
        case .posts: .posts
        case .post: .post
        case .search: .search
        case .rename: .rename
        case .delete: .delete
        case .secret: .secret
        case .forgotten: .forgotten
        }
    }

    /// The same text for all cases, so that a check cannot use it.
    var description: String { "a target" }

    var baseURL: URL { URL(string: "https://forum.test/v1") ?? URL(fileURLWithPath: "/") }

    var path: String {
        switch self {
        case .posts, .search: "/posts"
        case .post(let id): "/posts/\(id)"
        case .rename, .delete: "/name"
        case .secret, .forgotten: "/secret"
        }
    }

    var method: MoyaCore.Method {
        switch self {
        case .rename: .put
        case .delete: .delete
        default: .get
        }
    }

    var task: RequestTask {
        switch self {
        case .search(let text):
            .requestParameters(parameters: ["q": text], encoding: URLEncoding.queryString)
        case .rename(let name):
            .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        case .secret:
            .requestParameters(
                parameters: ["access_token": "abc"], encoding: URLEncoding.queryString)
        default: .requestPlain
        }
    }

    var headers: [String: String]? { nil }
    var timeoutInterval: TimeInterval? { 120 }
    var validationType: ValidationType { .successCodes }

    var sampleData: Data {
        switch self {
        case .posts, .search: Data(#"[{"id":1,"title":"Hello"}]"#.utf8)
        case .post: Data(#"{"id":"one","title":"Hello"}"#.utf8)
        default: Data()
        }
    }
}

struct Post: Codable, Equatable {
    var id: Int
    var title: String
}

/// A target with the properties that a test sets.
struct Plain: TargetType {
    var baseURL = URL(string: "https://plain.test") ?? URL(fileURLWithPath: "/")
    var path = "/"
    var method = MoyaCore.Method.get
    var task = RequestTask.requestPlain
    var headers: [String: String]?
    var timeoutInterval: TimeInterval? = 120
    var validationType = ValidationType.successCodes
    var sampleData = Data()
}

extension CatalogReport {
    /// Returns the reasons of all findings of one check.
    func reasons(_ check: CatalogCheck) -> [String] {
        findings.filter { $0.check == check }.map(\.reason)
    }
}

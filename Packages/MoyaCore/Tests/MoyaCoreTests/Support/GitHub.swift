import Foundation
import MoyaCore

/// The target of Moya's documentation.
enum GitHub: Equatable, Hashable {
    case zen
    case userProfile(String)
}

extension GitHub: TargetType {
    var baseURL: URL { url("https://api.github.com") }
    var path: String {
        switch self {
        case .zen: "/zen"
        case .userProfile(let name): "/users/\(segment: name)"
        }
    }
    var method: Moya.Method { .get }
    var task: RequestTask { .requestPlain }
    var validationType: ValidationType { .successAndRedirectCodes }
    var headers: [String: String]? { nil }
    var sampleData: Data {
        switch self {
        case .zen: Data("Half measures are as bad as nothing at all.".utf8)
        case .userProfile(let name): Data("{\"login\": \"\(name)\", \"id\": 100}".utf8)
        }
    }
}

/// A target with configurable properties.
struct AnyTarget: TargetType {
    var baseURL = url("http://host.test")
    var path = "/path"
    var method = Moya.Method.get
    var task = RequestTask.requestPlain
    var validationType = ValidationType.none
    var headers: [String: String]?
    var sampleData = Data()
    var timeoutInterval: TimeInterval?
    var cachePolicy: URLRequest.CachePolicy?
}

/// Returns the URL of a literal.
func url(_ text: String) -> URL {
    URL(string: text) ?? URL(fileURLWithPath: "/not-a-url")
}

extension Endpoint {
    /// Returns an endpoint with configurable properties.
    static func test(
        url: String = "http://host.test/path", method: Moya.Method = .get,
        task: RequestTask = .requestPlain, headers: [String: String]? = nil,
        sample: EndpointSampleResponse = .networkResponse(200, Data())
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { sample }, method: method, task: task,
            httpHeaderFields: headers)
    }
}

extension Response {
    convenience init(_ text: String, status: Int = 200) {
        self.init(statusCode: status, data: Data(text.utf8))
    }
}

import Foundation
import MoyaCore

/// A decodable value of the tests' responses.
public struct User: Codable, Equatable, Sendable {
    public var name: String
    public var joined: Date?

    public init(_ name: String, joined: Date? = nil) {
        self.name = name
        self.joined = joined
    }
}

/// The target of the tests.
public enum Service: TargetType {
    case user
    /// A path of a running server.
    case at(URL, String)

    public var baseURL: URL {
        switch self {
        case .user: URL(string: "http://host.test") ?? URL(fileURLWithPath: "/")
        case .at(let url, _): url
        }
    }
    public var path: String {
        switch self {
        case .user: "/user"
        case .at(_, let path): path
        }
    }
    public var method: Moya.Method { .get }
    public var task: RequestTask { .requestPlain }
    public var validationType: ValidationType { .successCodes }
    public var headers: [String: String]? { nil }
    public var timeoutInterval: TimeInterval? { 120 }
    public var sampleData: Data { Data(#"{"name":"sample"}"#.utf8) }
}

extension Response {
    /// A response with this body.
    public convenience init(_ text: String, status: Int = 200) {
        self.init(statusCode: status, data: Data(text.utf8))
    }

    /// A response whose body is not UTF-8.
    public static var binary: Response {
        Response(statusCode: 200, data: Data([0xFF, 0xFE, 0x00]))
    }
}

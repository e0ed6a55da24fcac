import Foundation
import MoyaCore

/// A target whose authorization, header fields, validation and task the test chooses.
public struct Thing: TargetType, AccessTokenAuthorizable {
    public var authorizationType: AuthorizationType?
    public var headers: [String: String]?
    public var validationType = ValidationType.none
    public var task = RequestTask.requestPlain

    public var baseURL: URL { URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/") }
    public var path: String { "/thing" }
    public var method: MoyaCore.Method { .get }
    public var sampleData: Data { Data("sample".utf8) }

    /// Creates a target for `GET https://api.example.test/thing`.
    public init(
        authorizationType: AuthorizationType? = nil, headers: [String: String]? = nil,
        validationType: ValidationType = .none, task: RequestTask = .requestPlain
    ) {
        self.authorizationType = authorizationType
        self.headers = headers
        self.validationType = validationType
        self.task = task
    }
}

/// A target that is not `AccessTokenAuthorizable`.
public struct Unauthorized: TargetType {
    public var baseURL: URL { Thing().baseURL }
    public var path: String { "/open" }
    public var method: MoyaCore.Method { .get }
    public var task: RequestTask { .requestPlain }
    public var headers: [String: String]? { nil }

    /// Creates a target for `GET https://api.example.test/open`.
    public init() {}
}

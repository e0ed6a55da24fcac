import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target with a GET and a POST request and sample data.
public enum Shop: TargetType, Equatable, CaseIterable {
    case list, buy

    public var baseURL: URL { URL(string: "https://shop.test") ?? URL(fileURLWithPath: "/") }
    public var path: String { self == .list ? "/list" : "/buy" }
    public var method: MoyaCore.Method { self == .list ? .get : .post }
    public var task: RequestTask {
        self == .list
            ? .requestPlain
            : .requestParameters(parameters: ["id": 7], encoding: JSONEncoding.default)
    }
    public var validationType: ValidationType { .successCodes }
    public var headers: [String: String]? { ["X-Shop": "1"] }
    public var timeoutInterval: TimeInterval? { 100_000 }
    public var sampleData: Data { Data("[\(self == .list ? 1 : 2)]".utf8) }
}

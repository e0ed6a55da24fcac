import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum Shop: TargetType, Equatable, CaseIterable {
    case list, buy

    var baseURL: URL { URL(string: "https://shop.test") ?? URL(fileURLWithPath: "/") }
    var path: String { self == .list ? "/list" : "/buy" }
    var method: MoyaCore.Method { self == .list ? .get : .post }
    var task: RequestTask {
        self == .list
            ? .requestPlain
            : .requestParameters(parameters: ["id": 7], encoding: JSONEncoding.default)
    }
    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["X-Shop": "1"] }
    var timeoutInterval: TimeInterval? { 100_000 }
    var sampleData: Data { Data("[\(self == .list ? 1 : 2)]".utf8) }
}

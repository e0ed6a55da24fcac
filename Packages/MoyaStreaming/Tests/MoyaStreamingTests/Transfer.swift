import Foundation
import MoyaCore

/// A target for a path of a server.
struct Transfer: TargetType {
    var baseURL: URL
    var path: String
    var method = MoyaCore.Method.get
    var task: RequestTask
    var validationType = ValidationType.none
    var sampleData = Data("sample".utf8)
    var headers: [String: String]? { nil }
}

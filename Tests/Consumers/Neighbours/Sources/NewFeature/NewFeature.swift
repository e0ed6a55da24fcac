import Foundation
import NewMoya

private struct Page: TargetType {
    let baseURL: URL
    let path = ""
    let method = Moya.Method.get
    let task = Moya.Task.requestPlain
    let headers: [String: String]? = nil
}

public func newRequest(_ url: URL) async throws -> String {
    try await MoyaProvider<Page>().request(Page(baseURL: url)).mapString()
}

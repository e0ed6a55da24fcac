import Foundation
import Moya

struct Page: TargetType {
    let baseURL: URL
    let path = ""
    let method = HTTPMethod.get
    let task = RequestTask.requestPlain
    let headers: [String: String]? = nil
}

guard let url = CommandLine.arguments.last.flatMap(URL.init(string:)) else { exit(2) }
print(try await MoyaProvider<Page>().request(Page(baseURL: url)).data.count)

import Foundation
import MoyaCore
import MoyaTransportCurl

struct Page: TargetType {
    let baseURL: URL
    let path = ""
    let method = HTTPMethod.get
    let task = RequestTask.requestPlain
    let headers: [String: String]? = nil
}

guard let url = CommandLine.arguments.last.flatMap(URL.init(string:)) else { exit(2) }
let provider = MoyaProvider<Page>(transport: CurlTransport())
print(try await provider.request(Page(baseURL: url)).data.count)

import Foundation
import MoyaCore
import MoyaMultipart
import MoyaMockServer

/// Requests of the demo. Its own server answers like httpbin. From the user's server (`--base-url`)
/// only `search` and `missing` are requested.
enum DemoTarget {
    case search(String)
    case create(Person)
    case missing
    case upload(URL)
    case download(byteCount: Int, to: URL)
    case stall
    case slow
}

struct Person: Codable, Equatable {
    var name: String
    var age: Int

    /// Response body of an echo server that receives this person.
    var echoed: Data {
        let json = (try? JSONEncoder().encode(self)) ?? Data()
        return (try? JSONEncoder().encode(["data": String(decoding: json, as: UTF8.self)]))
            ?? Data()
    }
}

/// The server that the demo sends requests to.
struct Server: Sendable {
    let url: URL
    /// The demo's own server, whose responses are known. `nil` for the user's server.
    let own: MockServer?

    var isOwn: Bool { own != nil }
}

/// A ``DemoTarget`` on a server.
struct Request: TargetType {
    let server: Server
    let target: DemoTarget

    var baseURL: URL { server.url }

    var path: String {
        switch target {
        case .search: server.isOwn ? "/get" : ""
        case .create: "/post"
        case .missing: server.isOwn ? "/status/404" : "/there-is-no-such-page"
        case .upload: "/put"
        case .download(let count, _): "/bytes/\(count)"
        case .stall, .slow: "/stall"
        }
    }

    var method: Moya.Method {
        switch target {
        case .create: .post
        case .upload: .put
        default: .get
        }
    }

    var task: RequestTask {
        switch target {
        case .search(let text):
            .requestParameters(
                parameters: ["q": text, "page": 1], encoding: URLEncoding.queryString)
        case .create(let person): .requestJSONEncodable(person)
        case .upload(let file): .uploadFile(file)
        case .download(_, let file): .downloadDestination { _, _ in (file, [.removePreviousFile]) }
        case .missing, .stall, .slow: .requestPlain
        }
    }

    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["X-Demo": "moya"] }
    var timeoutInterval: TimeInterval? { if case .slow = target { 0.5 } else { 30 } }

    /// Response of the stub.
    var sampleResponse: EndpointSampleResponse {
        switch target {
        case .missing: .networkResponse(404, Data())
        case .slow: .networkError(URLError(.timedOut) as NSError)
        default: .networkResponse(200, sampleData)
        }
    }

    var sampleData: Data {
        switch target {
        case .search: Data(#"{"args":{"q":"swift"}}"#.utf8)
        case .create(let person):
            person.echoed
        case .upload(let file):
            Data("{\"bodyLength\":\((try? Data(contentsOf: file).count) ?? 0)}".utf8)
        case .download(let count, _): Data(count: count)
        case .missing, .stall, .slow: Data()
        }
    }
}

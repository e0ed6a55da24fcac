import Foundation
import MoyaCore
import MoyaMockServer

/// API of the news service, which refuses requests (503), loses connections and rejects old tokens.
enum NewsAPI: Sendable {
    case headlines
    case front
    case account
    case film
    case ticker
}

/// Response bodies of the service.
enum NewsBody {
    static let film = Data((0..<(8 << 20)).lazy.map { UInt8(truncatingIfNeeded: $0 >> 8) })
    static let front = String(repeating: "All quiet. ", count: 1000)
}

/// A target of the service at `server`.
struct NewsRequest: TargetType, AccessTokenAuthorizable, CustomStringConvertible {
    let server: URL
    let target: NewsAPI

    var description: String { "\(target)" }
    var baseURL: URL { server }
    var path: String { "/\(target)" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
    var authorizationType: AuthorizationType? { if case .account = target { .bearer } else { nil } }
}

struct Account: Codable {
    var name: String
}

extension MockServer {
    /// Starts the news service.
    static func news() throws -> MockServer {
        let server = try MockServer()
        server.on("GET", "/headlines") { _ in .json(["Summer has come"]) }
        server.on("GET", "/front") { request in
            guard request.value(for: "If-None-Match") == "\"1\"" else {
                return .text(NewsBody.front).adding("ETag", "\"1\"").adding(
                    "Cache-Control", "no-cache")
            }
            return MockResponse(status: 304).adding("ETag", "\"1\"")
        }
        server.on("GET", "/account") { request in
            request.value(for: "Authorization") == "Bearer fresh"
                ? .json(Account(name: "Ada")) : MockResponse(status: 401)
        }
        server.on("GET", "/film") { .ranged(NewsBody.film, for: $0, etag: "\"film\"") }
        server.on("GET", "/ticker") { request in
            switch request.value(for: "Last-Event-ID") {
            case nil: .events("retry: 500\nid: 1\ndata: kick-off\n\nid: 2\ndata: 1:0\n\n")
            case "2": .events("id: 3\ndata: 1:1\n\n")
            default: MockResponse(status: 204)
            }
        }
        return server
    }
}

extension MockResponse {
    fileprivate static func events(_ text: String) -> MockResponse {
        MockResponse(body: .data(Data(text.utf8))).adding("Content-Type", "text/event-stream")
    }
}

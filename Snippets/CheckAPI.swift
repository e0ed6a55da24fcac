// Checks every request of an API at once.
import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl

enum Forum: TargetType {
    case posts
    case post(id: Int)

    var baseURL: URL { URL(string: "https://forum.example") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .posts: "/posts"
        case .post(let id): "/posts/\(id)"
        }
    }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data {
        switch self {
        case .posts: Data(#"[{"id":1,"title":"Hello"}]"#.utf8)
        case .post: Data(#"{"id":1,"title":"Hello"}"#.utf8)
        }
    }
}

nonisolated struct Post: Codable {
    var id: Int
    var title: String
}

/// Names of the cases of `Forum`. With them, the catalog reports cases that it has no entry for.
enum Name: CaseIterable { case posts, post }

func checkEverything(description: URL, staging: URL, page: URL) async throws {
    let catalog = TargetCatalog<Forum> {
        Forum.posts.expecting([Post].self)
        Forum.post(id: 1).expecting(Post.self)
    }
    .covering(Name.self) { target in
        switch target {
        case .posts: .posts
        case .post: .post
        }
    }

    // An offline check: sends no request.
    try catalog.check(against: OpenAPIDocument(contentsOf: description)).requireNoProblems()

    // Sends the GET requests to a staging server.
    let provider = MoyaProvider<Forum>(transport: CurlTransport())
    let report = await catalog.filter { $0.method == .get }.checkLive(with: provider, at: staging)
    print(report.table)
    try report.writeHTML(to: page)
}

func showServer() throws {
    let server = try MockServer { _ in MockResponse(status: 404) }
    defer { server.stop() }
    server.on("GET", "/posts/{id}") { request in
        .json(Post(id: Int(request.parameters["id"] ?? "") ?? 0, title: "Hello"))
    }
    server.enqueue(MockResponse(status: 503), .silence(then: .reset))
    print(server.requests.map(\.path))
}

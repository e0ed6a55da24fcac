import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Several providers that share one transport.
@Suite struct SharedTransportTests {
    private struct Page: TargetType {
        let baseURL: URL
        let path: String
        let method = MoyaCore.Method.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
    }

    private struct Search: TargetType {
        let baseURL: URL
        let path = "/search"
        let word: Int
        let method = MoyaCore.Method.post
        var task: RequestTask { .requestData(Data("\(word)".utf8)) }
        let headers: [String: String]? = ["X-Search": "yes"]
    }

    @Test func `Providers that share a transport get their own responses over shared connections`()
        async throws
    {
        let server = try MockServer { request in
            .text(
                "\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"
            )
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 4
        let transport = try CurlTransport(configuration: configuration)
        let pages = MoyaProvider<Page>(transport: transport)
        let searches = MoyaProvider<Search>(transport: transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let page = Page(baseURL: server.url, path: "/page/\(number)")
                    let text = try await pages.request(page).mapString()
                    #expect(text == "GET /page/\(number) ")
                }
                group.addTask {
                    let search = Search(baseURL: server.url, word: number)
                    let text = try await searches.request(search).mapString()
                    #expect(text == "POST /search \(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount <= 4)
        let searched = server.requests.filter { $0.value(for: "X-Search") != nil }
        #expect(searched.count == 100 && searched.allSatisfy { $0.method == "POST" })
    }

    @Test func `Providers that share a transport share its cookies`() async throws {
        let server = try MockServer { request in
            guard request.path.hasPrefix("/sign-in/") else {
                return .text(request.value(for: "Cookie") ?? "")
            }
            let name = request.path.dropFirst("/sign-in/".count)
            return .text("welcome").adding("Set-Cookie", "c\(name)=\(name); Path=/search")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        let transport = try CurlTransport(configuration: configuration)
        let pages = MoyaProvider<Page>(transport: transport)
        let searches = MoyaProvider<Search>(transport: transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let page = Page(baseURL: server.url, path: "/sign-in/\(number)")
                    _ = try await pages.request(page)
                    let sent = try await searches.request(Search(baseURL: server.url, word: number))
                        .mapString().components(separatedBy: "; ")
                    #expect(sent.contains("c\(number)=\(number)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await transport.cookies().count == 20)
        let other = try CurlTransport(configuration: configuration)
        let stranger = MoyaProvider<Search>(transport: other)
        #expect(try await stranger.request(Search(baseURL: server.url, word: 0)).mapString() == "")
    }
}

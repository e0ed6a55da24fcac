import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct SessionTests {
    private struct Page: TargetType {
        let baseURL: URL
        var path = "/get"
        let method = MoyaCore.Method.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
    }

    private func echo(from server: MockServer, over session: Session) async throws -> Echo {
        try await MoyaProvider<Page>(session: session)
            .request(Page(baseURL: server.url)).map(Echo.self)
    }

    /// Returns a session without the process's shared cookies and cache.
    private func session(_ change: (URLSessionConfiguration) -> Void) -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        return Session(configuration: configuration, startRequestsImmediately: false)
    }

    @Test func `a provider sends the header fields of its session`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = session { $0.headers = ["X-App": "shop", "User-Agent": "shop/1"] }
        let headers = try await echo(from: server, over: session).headers
        #expect(headers["x-app"] == "shop")
        #expect(headers["user-agent"] == "shop/1")
    }

    // The provider starts each request itself, regardless of the session's setting.
    @Test(arguments: [true, false])
    func `a provider sends a request once for either value of startRequestsImmediately`(
        startsImmediately: Bool
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = Session(
            configuration: .ephemeral, startRequestsImmediately: startsImmediately)
        let provider = MoyaProvider<Page>(session: session)
        #expect(server.connectionCount == 0)
        let status = try await provider.request(Page(baseURL: server.url)).statusCode
        #expect(status == 200)
        #expect(server.requests.map(\.path) == ["/get"])
    }

    @Test func `the default session sends the default header fields`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = MoyaProvider<Page>.defaultSession()
        #expect(session.sessionConfiguration.headers == .default)
        #expect(
            try await echo(from: server, over: session).headers["user-agent"]
                == HTTPHeaders.default["user-agent"])
    }

    @Test func `a provider has the session it was made with`() {
        for startsImmediately in [true, false] {
            let session = Session(
                configuration: .ephemeral, startRequestsImmediately: startsImmediately)
            let provider = MoyaProvider<Page>(session: session)
            #expect(provider.session === session)
            #expect(provider.session?.startRequestsImmediately == startsImmediately)
        }
        #expect(MoyaProvider<Page>.defaultSession().startRequestsImmediately == false)
        #expect(MoyaProvider<Page>(transport: FoundationTransport()).session == nil)
    }

    @Test func `a session's configuration is a copy that cannot be changed from outside`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.headers = ["X-App": "one"]
        let session = Session(configuration: configuration)
        configuration.headers = ["X-App": "two"]
        session.sessionConfiguration.headers = ["X-App": "three"]
        #expect(session.sessionConfiguration.headers == ["x-app": "one"])
        #expect(try await echo(from: server, over: session).headers["x-app"] == "one")
    }

    @Test func `a session's header fields are not sent to another origin`() async throws {
        let other = try MockServer()
        defer { other.stop() }
        let elsewhere = other.url.appendingPathComponent("get").absoluteString
        let server = try MockServer { _ in .redirect(to: elsewhere) }
        defer { server.stop() }
        let session = session { $0.headers = ["Authorization": "Bearer s", "X-App": "shop"] }
        let headers = try await echo(from: server, over: session).headers
        #expect(headers["x-app"] == nil)
        #expect(headers["authorization"] == nil)
    }

    @Test func `a session's cookies are kept between requests`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = session { _ in }
        let provider = MoyaProvider<Page>(session: session)
        _ = try await provider.request(Page(baseURL: server.url, path: "/cookies/set"))
        let url = try #require(URL(string: server.url.absoluteString + "/cookies/set?a=1"))
        _ = try await session.send(TransportRequest(URLRequest(url: url)))
        #expect(try await echo(from: server, over: session).headers["cookie"] == "a=1")
    }

    @Test(arguments: [true, false])
    func `a session's timeouts limit the idle time and the whole exchange`(isStandstill: Bool)
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let session = session {
            if isStandstill {
                $0.timeoutIntervalForRequest = 0.3
            } else {
                $0.timeoutIntervalForResource = 0.3
            }
        }
        let path = isStandstill ? "/stall" : "/drip?bytes=10000&delay=10"
        let url = try #require(URL(string: server.url.absoluteString + path))
        let error = await #expect(throws: URLError.self) {
            try await session.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a request's own timeout overrides the session's`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = session { $0.timeoutIntervalForRequest = 0.05 }
        var request = URLRequest(url: server.url.appendingPathComponent("delay/200"))
        request.timeoutInterval = 120
        #expect(try await session.send(TransportRequest(request)).head.statusCode == 200)
    }

    @Test(arguments: [true, false])
    func `cancelling all requests ends active requests and no later requests`(
        wantsCookies: Bool
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let session = session { _ in }
        var urlRequest = URLRequest(
            url: server.url.appendingPathComponent("stall"), timeoutInterval: 120)
        urlRequest.httpShouldHandleCookies = wantsCookies
        let stalled = TransportRequest(urlRequest)
        let (began, start) = AsyncStream<Void>.makeStream()
        urlRequest.httpMethod = "PUT"
        let unread = TransportRequest(
            urlRequest,
            body: .stream(
                RequestBodyStream {
                    start.finish()
                    return AsyncStream<Data> { _ in }
                }))
        let tasks = [stalled, unread].map { request in
            Task { try await session.send(request) }
        }
        _ = try await server.waitForRequests(1)
        try await waitForEvent(in: began)
        try await withCallback { callback in
            session.cancelAllRequests(completingOnQueue: .global()) { callback.resume() }
        }
        for task in tasks {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        urlRequest = URLRequest(url: server.url.appendingPathComponent("get"))
        urlRequest.httpShouldHandleCookies = wantsCookies
        #expect(try await session.send(TransportRequest(urlRequest)).head.statusCode == 200)
    }

    @Test func `cancelling all requests ends a body that is still being read`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 100)).truncated(after: 10, then: .stall)
        }
        defer { server.stop() }
        let session = session { _ in }
        let response = try await session.send(
            TransportRequest(
                URLRequest(url: server.url, timeoutInterval: 120), destination: .stream))
        guard case .stream(let stream) = response.body else { throw URLError(.unknown) }
        session.cancelAllRequests()
        let error = await #expect(throws: URLError.self) { try await stream.collect(upTo: 1000) }
        #expect(error?.code == .cancelled)
    }

    @Test func `cancelling all requests ends a request between two redirects`() async throws {
        let server = try MockServer { _ in .redirect(to: "/next") }
        defer { server.stop() }
        let session = session { _ in }
        let request = TransportRequest(
            URLRequest(url: server.url),
            redirectPolicy: .modify { _, proposed in
                session.cancelAllRequests()
                return proposed
            })
        let error = await #expect(throws: URLError.self) { try await session.send(request) }
        #expect(error?.code == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test func `a session refuses requests after shutdown`() async throws {
        let session = session { _ in }
        session.shutdown()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        await #expect(throws: URLError(.cancelled)) {
            try await session.send(TransportRequest(URLRequest(url: url)))
        }
    }

    #if os(Linux)
        @Test
        func `on Linux a server trust manager fails every request with an error that names it`()
            async throws
        {
            let session = Session(serverTrustManager: ServerTrustManager(evaluators: [:]))
            let error = await #expect(throws: URLError.self) {
                try await session.send(
                    TransportRequest(URLRequest(url: URL(fileURLWithPath: "/"))))
            }
            #expect(error?.localizedDescription.contains("serverTrustManager") == true)
        }

        final class Interceptor: URLProtocol {}

        @Test(arguments: [true, false])
        func `a session option that Linux lacks fails every request and names an alternative`(
            isProxy: Bool
        ) async throws {
            let session = session {
                if isProxy {
                    $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "proxy.test"]
                } else {
                    $0.protocolClasses = [Interceptor.self]
                }
            }
            let error = await #expect(throws: URLError.self) {
                try await session.send(
                    TransportRequest(URLRequest(url: URL(fileURLWithPath: "/"))))
            }
            let cause = (error as NSError?)?.userInfo[NSUnderlyingErrorKey]
            let description = (cause as? FoundationTransport.ConfigurationError)?.description
            #expect(
                description
                    == (isProxy
                        ? "URLSession on this platform cannot be configured with a proxy. Use "
                            + "CurlTransport and its proxy, or set http_proxy in the environment."
                        : "URLSession on this platform does not pass http requests to a "
                            + "URLProtocol. Stub the provider or its transport instead."))
        }
    #endif

    @Test func `header fields are found and replaced case-insensitively`() {
        var headers: HTTPHeaders = ["Accept": "a", "accept": "b"]
        #expect(headers["ACCEPT"] == "b")
        headers.add(name: "X-App", value: "1")
        headers.update(name: "x-app", value: "2")
        #expect(headers == HTTPHeaders(["ACCEPT": "b", "X-APP": "2"]))
        headers.remove(name: "x-APP")
        #expect(headers.dictionary == ["accept": "b"])
    }
}

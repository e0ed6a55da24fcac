import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RequestTests {
    @Test func `a request has the URL, method, fields, body, timeout and policy of its target`()
        async throws
    {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<AnyTarget>(transport: transport)
        let target = AnyTarget(
            path: "/p", method: .post, task: .requestData(Data("body".utf8)), headers: ["A": "b"],
            timeoutInterval: 9, cachePolicy: .reloadIgnoringLocalCacheData)
        _ = try await provider.request(target)
        let sent = try #require(transport.requests.first)
        #expect(sent.urlRequest.url?.absoluteString == "http://host.test/p")
        #expect(sent.urlRequest.httpMethod == "POST")
        #expect(sent.urlRequest.value(forHTTPHeaderField: "A") == "b")
        #expect(sent.urlRequest.timeoutInterval == 9)
        #expect(sent.urlRequest.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(sent.urlRequest.httpBody == nil)
        #expect(sent.context.target is AnyTarget)
        guard case .data(Data("body".utf8)) = sent.body else {
            Issue.record("The body is another.")
            return
        }
    }

    @Test(arguments: [
        ResponseBody.file(URL(fileURLWithPath: "/nonexistent/file")),
        .stream(ResponseBodyStream(Data("abc".utf8))),
    ])
    func `a transport that returns a file or a stream instead of a body in memory is an error`(
        body: ResponseBody
    ) async throws {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(body: body))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.zen) }
        #expect(error?.response?.statusCode == 200)
        #expect("\(try #require(error))".contains("a file or a stream"))
    }

    @Test func `a response has its status, body, header fields, request and metrics`() async throws
    {
        let transport = StubTransport { request in
            var response = try TransportResponse.stub(
                status: 201, headers: [HeaderField(name: "X-A", value: "1")], data: Data("x".utf8),
                for: request)
            response.metrics.total = 0.5
            return response
        }
        let response = try await MoyaProvider<GitHub>(transport: transport).request(.zen)
        #expect(response.statusCode == 201)
        #expect(response.data == Data("x".utf8))
        #expect(response.header("x-a") == "1")
        #expect(response.response?.statusCode == 201)
        #expect(response.request?.url == URL(target: GitHub.zen))
        #expect(response.metrics?.total == 0.5)
    }

    @Test func `accepted and refused responses have their trailers`() async throws {
        let trailers = [HeaderField(name: "X-Sum", value: "1"), HeaderField(name: "b", value: "2")]
        let transport = StubTransport { request in
            let isRefused = request.urlRequest.url?.path == "/refused"
            var response = try TransportResponse.stub(status: isRefused ? 500 : 200, for: request)
            response.trailers = trailers
            return response
        }
        let provider = MoyaProvider<AnyTarget>(transport: transport)
        #expect(try await provider.request(AnyTarget(path: "/p")).trailers == trailers)
        let refused = AnyTarget(path: "/refused", validationType: .successCodes)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(refused) }
        #expect(error?.response?.trailers == trailers)
        #expect(Response(statusCode: 200, data: Data()).trailers.isEmpty)
    }

    struct User: Decodable, Equatable {
        var login: String
        var id: Int
    }

    @Test func `a request for a type decodes the response, whole or at a key path`() async throws {
        let transport = StubTransport { try .stub(json: ["data": ["login": "a"]], for: $0) }
        let provider = MoyaProvider<GitHub>(transport: transport)
        #expect(try await provider.request(.zen, as: String.self, atKeyPath: "data.login") == "a")
        let stubbed = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub, transport: transport)
        let user = try await stubbed.request(.userProfile("a b"), as: User.self)
        #expect(user == User(login: "a b", id: 100))
    }

    @Test func `a body that does not match the requested type is an objectMapping error`() async {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(body: .data(Data("[]".utf8))))
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(.zen, as: User.self)
        }
        guard case .objectMapping(_, let response) = error else {
            Issue.record("Expected .objectMapping, got \(String(describing: error)).")
            return
        }
        #expect(response.data == Data("[]".utf8))
    }

    @Test func `a refused status is an error with the response`() async {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(status: 404))
        let result = await provider.result(of: .zen)
        guard case .failure(.underlying(MoyaError.statusCode, let response?)) = result else {
            Issue.record("Expected .statusCode within .underlying, got \(result).")
            return
        }
        #expect(response.statusCode == 404)
        #expect(response.data == Data("answer".utf8))
    }

    @Test func `an error of the transport is the underlying error of the result`() async {
        let provider = MoyaProvider<GitHub>(
            transport: FixedTransport(error: URLError(.cannotFindHost)))
        #expect(await provider.result(of: .zen).urlErrorCode == NSURLErrorCannotFindHost)
    }

    @Test func `a MoyaError thrown by the transport is passed on unchanged`() async {
        let provider = MoyaProvider<GitHub>(
            transport: FixedTransport(error: MoyaError.requestMapping("x")))
        guard case .failure(.requestMapping("x")) = await provider.result(of: .zen) else {
            Issue.record("Expected .requestMapping.")
            return
        }
    }

    @Test func `the request closure may change the request`() async throws {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<GitHub>(
            requestClosure: { endpoint, done in
                do {
                    var request = try endpoint.urlRequest()
                    request.httpShouldHandleCookies = false
                    request.setValue("1", forHTTPHeaderField: "X-Closure")
                    done(.success(request))
                } catch {
                    done(.failure(MoyaError(wrapping: error)))
                }
            }, transport: transport)
        _ = try await provider.request(.zen)
        #expect(transport.requests.first?.urlRequest.value(forHTTPHeaderField: "X-Closure") == "1")
    }

    @Test(arguments: [false, true])
    func `the request closure may answer asynchronously`(isStubbed: Bool) async throws {
        let provider = MoyaProvider<GitHub>(
            requestClosure: { endpoint, done in
                DispatchQueue.global().async {
                    MoyaProvider<GitHub>.defaultRequestMapping(for: endpoint, closure: done)
                }
            },
            stubClosure: { _ in isStubbed ? .immediate : .never }, transport: FixedTransport())
        #expect(try await provider.request(.zen).statusCode == 200)
        #expect(try await provider.result(of: .zen).get().statusCode == 200)
    }

    @Test func `a request whose request closure answers twice is sent once`() async throws {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<GitHub>(
            requestClosure: { endpoint, done in
                MoyaProvider<GitHub>.defaultRequestMapping(for: endpoint, closure: done)
                MoyaProvider<GitHub>.defaultRequestMapping(for: endpoint, closure: done)
            }, transport: transport)
        _ = try await provider.result(of: .zen).get()
        _ = try await provider.request(.zen)
        #expect(transport.requests.count == 2)
    }

    @Test func `a failure of the request closure is the result of the request`() async {
        let provider = MoyaProvider<GitHub>(
            requestClosure: { _, done in
                done(.failure(.underlying(NSError(domain: "", code: 123), nil)))
            },
            transport: FixedTransport())
        guard case .failure(.underlying(let error, nil)) = await provider.result(of: .zen) else {
            Issue.record("Expected .underlying.")
            return
        }
        #expect((error as NSError).code == 123)
    }

    @Test func `equal targets have equal endpoints`() {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport())
        #expect(provider.endpoint(.zen) == provider.endpoint(.zen))
        #expect(provider.endpoint(.zen) != provider.endpoint(.userProfile("a")))
    }

    struct InjectingPlugin: PluginType {
        var name = "X-Bad"
        var value = "a"
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            // `setValue` ignores some invalid values.
            request.allHTTPHeaderFields = [name: value]
            return request
        }
    }

    @Test(arguments: [("X-Bad", "a\r\nInjected: 1"), ("Bad name", "a")])
    func `an invalid header field set by a plugin is an error, and nothing is sent`(
        name: String, value: String
    ) async {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<GitHub>(
            transport: transport, plugins: [InjectingPlugin(name: name, value: value)])
        guard case .failure(.underlying(is RequestError, nil)) = await provider.result(of: .zen)
        else {
            Issue.record("Expected a RequestError.")
            return
        }
        #expect(transport.requests.isEmpty)
    }

    struct StreamPlugin: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.httpBodyStream = InputStream(data: Data([1]))
            return request
        }
    }

    @Test func `an httpBodyStream is an error that suggests httpBody or a file upload`() async {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(), plugins: [StreamPlugin()])
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.zen) }
        #expect(
            error?.errorDescription
                == "The request has an httpBodyStream. Set httpBody, or use a file upload task.")
    }

    struct BodyPlugin: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.httpBody = Data("changed".utf8)
            return request
        }
    }

    @Test func `a plugin may replace the request body`() async throws {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<AnyTarget>(transport: transport, plugins: [BodyPlugin()])
        _ = try await provider.request(
            AnyTarget(method: .post, task: .requestData(Data("original".utf8))))
        guard case .data(Data("changed".utf8)) = transport.requests.first?.body else {
            Issue.record("The body is another.")
            return
        }
    }

    struct FailingDelivery: ResponseDelivery {
        struct Failure: Error {}
        func makeDestination() throws -> ResponseDestination { .memory() }
        func deliver(
            _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
        ) throws -> TransportResponse { throw Failure() }
    }

    @Test func `a failed delivery is an error with the response, and the file is removed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file()
        try Data("body".utf8).write(to: file)
        for (body, data) in [
            (ResponseBody.data(Data("body".utf8)), Data("body".utf8)), (.file(file), Data()),
        ] {
            let provider = MoyaProvider<AnyTarget>(transport: FixedTransport(body: body))
            let target = AnyTarget(task: RequestTask(delivery: FailingDelivery()))
            let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
            #expect(error?.underlyingError is FailingDelivery.Failure)
            #expect(error?.response?.statusCode == 200)
            #expect(error?.response?.data == data)
            #expect(error?.response?.fileURL == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

import Foundation
@testable import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RedirectTests {
    /// Sends `request` and follows redirects. `answer` receives the number of each request, from 1.
    private func send(
        _ request: TransportRequest, _ answer: (_ number: Int) throws -> TransportResponse
    ) async throws -> (response: TransportResponse, sent: [TransportRequest]) {
        let sent = Recorder<TransportRequest>()
        let response = try await request.followingRedirects { request in
            sent.record(request)
            return try answer(sent.count)
        }
        return (response, sent.items)
    }

    private func answer(
        _ status: Int = 200, from address: String = "http://a.test/", to location: String? = nil,
        body: ResponseBody = .data(Data())
    ) -> TransportResponse {
        let fields = location.map { [HeaderField(name: "location", value: $0)] } ?? []
        return TransportResponse(
            head: ResponseHead(statusCode: status, url: url(address), fields: fields), body: body)
    }

    /// Redirects the first request, responds to the next one with 200, and returns the second
    /// request.
    private func followed(
        _ status: Int = 302, from address: String = "http://a.test/x/y?q=1",
        to location: String? = "/to", method: String = "GET", headers: [String: String] = [:],
        body: RequestBody = .none, policy: RedirectPolicy = .follow(),
        credential: URLCredential? = nil
    ) async throws -> TransportRequest? {
        var urlRequest = URLRequest(url: url(address))
        urlRequest.httpMethod = method
        urlRequest.allHTTPHeaderFields = headers
        let request = TransportRequest(
            urlRequest, body: body, redirectPolicy: policy, credential: credential)
        let sent = try await send(request) { number in
            number == 1 ? answer(status, from: address, to: location) : answer(from: address)
        }.sent
        return sent.dropFirst().first
    }

    @Test(arguments: [
        ("/to", "http://a.test/to"), ("to", "http://a.test/x/to"), ("../to", "http://a.test/to"),
        ("?p=2", "http://a.test/x/y?p=2"), ("//b.test/to", "http://b.test/to"),
        ("https://b.test:8443/to?a=b", "https://b.test:8443/to?a=b"),
        ("HTTP://a.test/to", "HTTP://a.test/to"),
        ("http://a.test/x/./../to?p=../q", "http://a.test/to?p=../q"),
        ("/a b%20c%2Fd?a[]=1%20&c=%5B", "http://a.test/a%20b%20c%2Fd?a%5B%5D=1%20&c=%5B"),
    ])
    func `a redirect resolves its Location against the request URL`(
        location: String, expected: String
    ) async throws {
        let next = try await followed(to: location)
        #expect(next?.urlRequest.url?.absoluteString == expected)
    }

    @Test func `a redirect keeps the fragment of the URL unless the Location has one`() async throws
    {
        let kept = try await followed(from: "http://a.test/x#top", to: "/to")
        #expect(kept?.urlRequest.url?.absoluteString == "http://a.test/to#top")
        let encoded = try await followed(from: "http://a.test/x#a%20b", to: "/to")
        #expect(encoded?.urlRequest.url?.absoluteString == "http://a.test/to#a%20b")
        let own = try await followed(from: "http://a.test/x#top", to: "/to#own")
        #expect(own?.urlRequest.url?.absoluteString == "http://a.test/to#own")
    }

    @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 404])
    func `a status other than 301, 302, 303, 307 and 308 is not followed`(status: Int) async throws
    {
        #expect(try await followed(status) == nil)
    }

    @Test func `a redirect without a Location is not followed`() async throws {
        #expect(try await followed(to: nil) == nil)
    }

    static let methods = [
        (301, "GET", "GET"), (301, "POST", "GET"), (301, "PUT", "PUT"), (301, "HEAD", "HEAD"),
        (302, "POST", "GET"), (302, "DELETE", "DELETE"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
        (307, "DELETE", "DELETE"),
        (308, "POST", "POST"), (308, "PATCH", "PATCH"),
    ]

    @Test(arguments: methods)
    func `a redirect changes the method according to RFC 9110`(
        status: Int, method: String, expected: String
    )
        async throws
    {
        let headers = ["Content-Type": "text/plain", "Content-Encoding": "gzip", "Accept": "a"]
        let next = try await followed(
            status, method: method, headers: headers, body: .data(Data("b".utf8)))
        let request = try #require(next)
        #expect(request.urlRequest.httpMethod == expected)
        let keepsBody = method == expected
        if case .data = request.body { #expect(keepsBody) } else { #expect(!keepsBody) }
        #expect((request.urlRequest.value(forHTTPHeaderField: "Content-Type") != nil) == keepsBody)
        #expect(
            (request.urlRequest.value(forHTTPHeaderField: "Content-Encoding") != nil) == keepsBody)
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "a")
    }

    @Test func `a redirect that drops the body drops only the header fields of the body`()
        async throws
    {
        let ofBody = [
            "Content-Digest", "Content-MD5", "DIGEST", "Expect", "Last-Modified", "Repr-Digest",
            "Trailer", "Transfer-Encoding",
        ]
        let others = ["Want-Content-Digest", "Want-Repr-Digest", "Accept", "X-Digest", "TE"]
        let headers = Dictionary(uniqueKeysWithValues: (ofBody + others).map { ($0, "v") })
        let body = RequestBody.data(Data("b".utf8))
        let get = try await followed(303, method: "POST", headers: headers, body: body)
        #expect(Set(get?.urlRequest.allHTTPHeaderFields?.keys ?? [:].keys) == Set(others))
        let post = try await followed(307, method: "POST", headers: headers, body: body)
        #expect(post?.urlRequest.allHTTPHeaderFields?.count == headers.count)
    }

    static let origins = [
        ("http://a.test/", "http://a.test/b", true), ("http://a.test/", "http://A.TEST/b", true),
        ("http://a.test/", "http://a.test:80/b", true),
        ("https://a.test:443/", "https://a.test/", true),
        ("http://a.test/", "http://b.test/", false),
        ("http://a.test/", "http://sub.a.test/", false),
        ("http://a.test/", "http://a.test:8080/", false),
        ("http://a.test/", "https://a.test/", false),
    ]

    @Test(arguments: origins)
    func `secrets do not follow a redirect to another origin`(
        from: String, to: String, isSame: Bool
    ) async throws {
        let secrets =
            ["Authorization", "Proxy-Authorization", "Cookie", "Host", "Origin", "X-Api-Key"]
            + ["Ocp-Apim-Subscription-Key", "X-Ms-Authorization-Auxiliary", "Idempotency-Key"]
        var headers = Dictionary(secrets.map { ($0.capitalized, "s") }, uniquingKeysWith: { $1 })
        headers["Accept"] = "k"
        let next = try await followed(
            307, from: from, to: to, headers: headers,
            credential: URLCredential(user: "u", password: "p", persistence: .none))
        let request = try #require(next)
        for name in secrets {
            #expect(
                (request.urlRequest.value(forHTTPHeaderField: name) != nil) == isSame, "\(name)")
        }
        #expect((request.credential != nil) == isSame)
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "k")
    }

    private func code(_ body: () async throws -> TransportRequest?) async -> URLError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }

    @Test(arguments: ["ftp://a.test/", "file:///etc/passwd", "javascript:alert(1)", "ws://a.test/"])
    func `a redirect to a scheme other than http and https is refused`(location: String) async {
        #expect(await code { try await followed(to: location) } == .unsupportedURL)
        let anything = RedirectPolicy.modify { _, proposed in proposed }
        #expect(
            await code { try await followed(to: location, policy: anything) } == .unsupportedURL)
    }

    @Test func `a redirect from https to http is refused unless a handler changes the URL`()
        async throws
    {
        let refused = await code {
            try await followed(from: "https://a.test/", to: "http://a.test/")
        }
        #expect(refused == .appTransportSecurityRequiresSecureConnection)
        let unchanged = await code {
            try await followed(
                from: "https://a.test/", to: "http://a.test/",
                policy: .modify { _, proposed in
                    var proposed = proposed
                    proposed.setValue("yes", forHTTPHeaderField: "X-Changed")
                    return proposed
                })
        }
        #expect(unchanged == .appTransportSecurityRequiresSecureConnection)
        let next = try await followed(
            from: "https://a.test/", to: "http://a.test/", headers: ["Authorization": "s"],
            policy: .modify { _, proposed in
                var proposed = proposed
                proposed.url = url("http://b.test/chosen")
                return proposed
            })
        #expect(next?.urlRequest.url?.absoluteString == "http://b.test/chosen")
        #expect(next?.urlRequest.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test func `the error of a refused redirect shows no secret of the Location`() async {
        let error = await #expect(throws: URLError.self) {
            _ = try await followed(to: "ftp://user:pass@a.test/?token=abc")
        }
        let text = "\(String(describing: error.map { ($0 as NSError).userInfo }))"
        #expect(!text.contains("pass"))
        #expect(!text.contains("abc"))
    }

    @Test func `RedirectPolicy.refuse stops a redirect, and modify may stop or change a redirect`()
        async throws
    {
        #expect(try await followed(policy: .refuse) == nil)
        #expect(try await followed(policy: .modify { _, _ in nil }) == nil)
        let changed = try await followed(
            policy: .modify { head, proposed in
                #expect(head.statusCode == 302)
                var proposed = proposed
                proposed.url = url("http://c.test/changed")
                return proposed
            })
        #expect(changed?.urlRequest.url?.absoluteString == "http://c.test/changed")
    }

    @Test func `a redirect handler that changes the host sends only the secrets that it sets`()
        async throws
    {
        let secrets = ["Authorization": "s", "Cookie": "s", "X-Other": "s", "Accept": "k"]
        let next = try await followed(
            headers: secrets,
            policy: .modify { _, proposed in
                var proposed = proposed
                proposed.url = url("http://c.test/")
                proposed.setValue("own", forHTTPHeaderField: "Cookie")
                return proposed
            }, credential: URLCredential(user: "u", password: "p", persistence: .none))
        #expect(next?.credential == nil)
        #expect(next?.urlRequest.allHTTPHeaderFields == ["Cookie": "own", "Accept": "k"])
    }

    @Test func `a redirect handler may set secrets for the host in the Location`() async throws {
        let next = try await followed(
            to: "http://b.test/", headers: ["Authorization": "s"],
            policy: .modify { _, proposed in
                var proposed = proposed
                proposed.setValue("own", forHTTPHeaderField: "Authorization")
                return proposed
            })
        #expect(next?.urlRequest.value(forHTTPHeaderField: "Authorization") == "own")
    }

    @Test(arguments: [0, 1, 3])
    func `redirects over the limit fail with httpTooManyRedirects`(limit: Int) async throws {
        var request = TransportRequest(URLRequest(url: url("http://a.test/")))
        request.redirectPolicy = .follow(limit: limit)
        let sent = Recorder<Int>()
        let error = await #expect(throws: URLError.self) {
            try await send(request) { number in
                sent.record(number)
                return answer(302, to: "/\(number)")
            }
        }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(sent.count == limit + 1)
    }

    @Test func `a task that is cancelled between two hops of a redirect sends no other request`()
        async throws
    {
        let sent = Recorder<Int>()
        let sending = Task {
            try await send(TransportRequest(URLRequest(url: url("http://a.test/")))) { number in
                sent.record(number)
                withUnsafeCurrentTask { $0?.cancel() }
                return answer(302, to: "/\(number)")
            }
        }
        let error = await #expect(throws: URLError.self) { try await sending.value }
        #expect(error?.code == .cancelled)
        #expect(sent.count == 1)
    }

    @Test(arguments: [0, 10, 100_000])
    func `the endless body of a redirect is stopped`(byteCount: Int) async throws {
        let isStopped = Recorder<Bool>()
        let channel = ResponseBodyWriter(resume: {}, stop: { isStopped.record(true) })
        _ = Data(count: byteCount).withUnsafeBytes { channel.offer($0) }
        let redirect = ResponseBodyStream(channel)
        let request = TransportRequest(URLRequest(url: url("http://a.test/")), destination: .stream)
        let response = try await send(request) { number in
            number == 1 ? answer(302, to: "/to", body: .stream(redirect)) : answer()
        }.response
        #expect(response.head.statusCode == 200)
        #expect(isStopped.count == 1)
    }

    @Test func `the finished body of a redirect is read to its end to reuse the connection`()
        async throws
    {
        let isStopped = Recorder<Bool>()
        let isWanted = Recorder<Bool>()
        let channel = ResponseBodyWriter(
            capacity: 4, resume: { isWanted.record(true) }, stop: { isStopped.record(true) })
        // Exceeds the capacity, so the remaining bytes are requested by the reader.
        for _ in 0..<2 { _ = Data("over there".utf8).withUnsafeBytes { channel.offer($0) } }
        channel.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
        let redirect = ResponseBodyStream(channel)
        let request = TransportRequest(URLRequest(url: url("http://a.test/")), destination: .stream)
        let first = answer(302, to: "/to", body: .stream(redirect))
        _ = try await request.follow(first, skippingWithin: 600) { _ in answer() }
        #expect(isWanted.count == 1)
        #expect(isStopped.count == 0)
    }

    @Test func `metrics of a redirected request include every hop`() async throws {
        let request = TransportRequest(URLRequest(url: url("http://a.test/")))
        let response = try await send(request) { number in
            var response = number < 3 ? answer(302, to: "/\(number)") : answer()
            response.metrics.firstByte = 0.1
            response.metrics.total = 0.5
            response.metrics.bytesReceived = 10
            return response
        }.response
        #expect(response.metrics.redirectCount == 2)
        #expect(response.metrics.total == 1.5)
        #expect(response.metrics.firstByte == 1.1)
        #expect(response.metrics.bytesReceived == 30)
    }

    @Test(arguments: [
        ("http://a.test/", RedirectPolicy.follow(limit: 0)), ("ftp://a.test/", .follow()),
        ("http://a.test/", .follow()),
    ])
    func `a refused redirect leaves no download file`(location: String, policy: RedirectPolicy)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let request = TransportRequest(
            URLRequest(url: url("https://a.test/")), destination: .file(file),
            redirectPolicy: policy)
        await #expect(throws: URLError.self) {
            try await send(request) { _ in
                try Data("moved".utf8).write(to: file)
                return answer(302, from: "https://a.test/", to: location, body: .file(file))
            }
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

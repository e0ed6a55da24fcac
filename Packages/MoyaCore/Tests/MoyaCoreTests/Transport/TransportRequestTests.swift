import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TransportRequestTests {
    private func code(_ request: URLRequest) -> URLError.Code? {
        do {
            try TransportRequest(request).validate()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }

    @Test func `a transport without a cache refuses returnCacheDataDontLoad`() {
        var request = URLRequest(url: url("http://a.test/"))
        request.cachePolicy = .returnCacheDataDontLoad
        #expect(code(request) == .resourceUnavailable)
        #expect(throws: Never.self) { try TransportRequest(request).validate(hasCache: true) }
        for policy in [
            URLRequest.CachePolicy.useProtocolCachePolicy, .reloadIgnoringLocalCacheData,
            .returnCacheDataElseLoad,
        ] {
            request.cachePolicy = policy
            #expect(code(request) == nil)
        }
    }

    @Test(arguments: [
        "ftp://a.test/", "file:///etc/passwd", "http:///path", "a.test/path", "data:,x",
    ])
    func `a transport refuses a URL without an http scheme or a host`(text: String) {
        #expect(code(URLRequest(url: url(text))) == .unsupportedURL)
    }

    @Test(arguments: [
        "http://127.0.0.1:65536/", "http://[::1]:99999/",
        "http://a.test:123456789012345678/", "http://%5B%5D/", "http://%5B/", "http://%5D:80/",
    ])
    func `a transport refuses a URL with an invalid port or a host of brackets`(text: String) {
        #expect(code(URLRequest(url: url(text))) == .badURL)
    }

    /// Over a Unix domain socket, the port has no meaning.
    @Test(arguments: [
        "http://127.0.0.1:0/", "http://127.0.0.1:65535/", "http://[::1]:1/", "http://a.test:/",
    ])
    func `a transport accepts a URL with a valid port or none`(text: String) {
        #expect(code(URLRequest(url: url(text))) == nil)
    }

    @Test func `the error for a URL that is not HTTP shows the URL without its secrets`() {
        let address = "ftp://user:opensesame@a.test/file;key=opensesame?token=opensesame#opensesame"
        let error = #expect(throws: URLError.self) {
            try TransportRequest(URLRequest(url: url(address))).validate()
        }
        #expect(
            error?.localizedDescription
                == "\"ftp://a.test/file\" is not an http or https URL with a host.")
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\0b", "a\tb", "a\u{7F}"])
    func `a transport refuses a credential with a control character`(text: String) throws {
        var request = TransportRequest(URLRequest(url: url("http://a.test/")))
        for (user, password) in [(text, "p"), ("u", text)] {
            request.credential = URLCredential(
                user: user, password: password, persistence: .none)
            let error = #expect(throws: RequestError.self) { try request.validate() }
            #expect(error?.description.contains(text) == false)
        }
        request.credential = URLCredential(user: "ü ", password: "p ä", persistence: .none)
        try request.validate()
    }

    @Test func `a TransportRequest takes the httpBody of its URLRequest unless given a body`() {
        var request = URLRequest(url: url("http://a.test/"))
        request.httpBody = Data("body".utf8)
        let taken = TransportRequest(request)
        guard case .data(Data("body".utf8)) = taken.body else {
            Issue.record("The body is another.")
            return
        }
        #expect(taken.urlRequest.httpBody == nil)
        guard case .file = TransportRequest(request, body: .file(url("file:///x"))).body else {
            Issue.record("The body given goes before that of the URL request.")
            return
        }
    }

    @Test func `TransportRequest and TransportResponse are values with the size of one word`() {
        let first = TransportRequest(URLRequest(url: url("http://a.test/")))
        var second = first
        second.urlRequest.url = url("http://b.test/")
        second.urlRequest.httpMethod = "PUT"
        #expect(first.urlRequest.url == url("http://a.test/"))
        #expect(first.urlRequest.httpMethod == "GET")
        #expect(second.urlRequest.url == url("http://b.test/"))
        #expect(second.urlRequest.httpMethod == "PUT")
        let answer = TransportResponse(
            head: ResponseHead(statusCode: 200, url: url("http://a.test/")))
        var copy = answer
        copy.trailers = [HeaderField(name: "a", value: "b")]
        #expect(answer.trailers == [])
        #expect(copy.trailers.count == 1)
        #expect(MemoryLayout<TransportRequest>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<TransportResponse>.size == MemoryLayout<Int>.size)
    }
}

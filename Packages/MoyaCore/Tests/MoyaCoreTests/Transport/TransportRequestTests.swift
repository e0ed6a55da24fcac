import Foundation
@_spi(MoyaInternals) import MoyaCore
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

    @Test func `what only a cache may answer is not available from a transport`() {
        var request = URLRequest(url: url("http://a.test/"))
        request.cachePolicy = .returnCacheDataDontLoad
        #expect(code(request) == .resourceUnavailable)
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
    func `what is no URL of a server is refused`(text: String) {
        #expect(code(URLRequest(url: url(text))) == .unsupportedURL)
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\0b", "a\tb", "a\u{7F}"])
    func `a credential that could split the message is refused`(text: String) throws {
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

    @Test func `a body of the URL request is the body`() {
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
}

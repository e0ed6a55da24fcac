import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct UserInfoTests {
    /// Returns the requests sent for `text`, including the one after a redirect to `location`.
    private func sent(
        _ text: String, credential: URLCredential? = nil, location: String? = nil
    ) async throws -> [TransportRequest] {
        let request = TransportRequest(URLRequest(url: url(text)), credential: credential)
        let sent = Recorder<TransportRequest>()
        _ = try await request.followingRedirects { request in
            let isFirst = sent.add(request) == 1
            let fields = location.map { [HeaderField(name: "Location", value: $0)] } ?? []
            return TransportResponse(
                head: ResponseHead(
                    statusCode: isFirst ? 302 : 200, url: url("http://a.test"), fields: fields))
        }
        return sent.items
    }

    @Test func `a user name and password in the URL become the credential of the request`()
        async throws
    {
        let first = try await sent("http://us%3Aer:p%40ss@a.test:80/x?q=%20#f").first
        #expect(first?.urlRequest.url?.absoluteString == "http://a.test:80/x?q=%20#f")
        #expect(first?.credential?.user == "us:er")
        #expect(first?.credential?.password == "p@ss")
        let nameAlone = try await sent("http://user@a.test/").first
        #expect(nameAlone?.urlRequest.url?.absoluteString == "http://a.test/")
        #expect(nameAlone?.credential?.user == "user")
        #expect(nameAlone?.credential?.password == "")
    }

    @Test
    func `the credential of a request takes precedence over the credential in the URL`()
        async throws
    {
        let own = URLCredential(user: "own", password: "p", persistence: .none)
        let first = try await sent("http://user:pass@a.test/", credential: own).first
        #expect(first?.credential?.user == "own")
        #expect(first?.urlRequest.url?.absoluteString == "http://a.test/")
    }

    @Test func `a user name and password in the URL follow redirects only within one origin`()
        async throws
    {
        let same = try await sent("http://user:pass@a.test/x", location: "y").last
        #expect(same?.urlRequest.url?.absoluteString == "http://a.test/y")
        #expect(same?.credential?.user == "user")
        let other = try await sent("http://user:pass@a.test/x", location: "http://b.test/").last
        #expect(other?.credential == nil)
    }

    @Test func `a user name and password in a Location are dropped`() async throws {
        // RFC 9110, section 4.2.4: such URLs can be used to deceive users.
        for location in ["http://eve:x@a.test/y", "http://eve:x@b.test/y"] {
            let last = try await sent("http://a.test/x", location: location).last
            #expect(last?.urlRequest.url?.user == nil)
            #expect(last?.credential == nil)
        }
    }
}

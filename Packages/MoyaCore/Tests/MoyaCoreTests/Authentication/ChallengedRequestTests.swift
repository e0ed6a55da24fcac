import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ChallengedRequestTests {
    /// The challenge of RFC 7616, section 3.9.1, without SHA-256.
    @Test func `a Digest challenge is answered with the fields of RFC 7616`() async throws {
        let challenge =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=MD5, "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
            + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        var request = TransportRequest(
            URLRequest(url: url("http://www.example.org/dir/index.html")))
        request.credential = URLCredential(
            user: "Mufasa", password: "Circle of Life", persistence: .none)
        let answers = Recorder<String>()
        let response = try await request.answeringChallenges(AuthenticationCache()) { request in
            let answer = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if let answer { answers.record(answer) }
            return TransportResponse(
                head: ResponseHead(
                    statusCode: answer == nil ? 401 : 200,
                    url: url("http://www.example.org/dir/index.html"),
                    fields: [HeaderField(name: "WWW-Authenticate", value: challenge)]))
        }
        #expect(response.head.statusCode == 200)
        let answer = try #require(answers.items.first)
        #expect(answers.count == 1)
        #expect(answer.hasPrefix("Digest "))
        for field in [
            "username=\"Mufasa\"", "realm=\"http-auth@example.org\"", "uri=\"/dir/index.html\"",
            "algorithm=MD5", "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\"",
            "nc=00000001", "qop=auth", "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"",
        ] { #expect(answer.contains(field), "\(field) in \(answer)") }
    }

    /// The challenge has no `qop`, so the answer depends on no random text. Computed with Python's
    /// hashlib: `md5(md5("user:realm:secret") + ":nonce:" + md5("PUT:/a"))`.
    @Test func `a Digest answer hashes the method of the request`() async throws {
        var put = URLRequest(url: url("http://host.test/a"))
        put.httpMethod = "PUT"
        var request = TransportRequest(put)
        request.credential = URLCredential(user: "user", password: "secret", persistence: .none)
        let answers = Recorder<String>()
        _ = try await request.answeringChallenges(AuthenticationCache()) { request in
            let answer = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if let answer { answers.record(answer) }
            return TransportResponse(
                head: ResponseHead(
                    statusCode: answer == nil ? 401 : 200, url: url("http://host.test/a"),
                    fields: [
                        HeaderField(
                            name: "WWW-Authenticate",
                            value: "Digest realm=\"realm\", nonce=\"nonce\"")
                    ]))
        }
        let answer = try #require(answers.items.first)
        #expect(answer.contains("response=\"e28a83485dffcb089a06cfa5fdf101ae\""), "\(answer)")
    }

    /// RFC 7616, section 3.4: `uri` is the target of the request line. RFC 3986, sections 2.3 and
    /// 5.2.4: an encoded dot is a dot.
    @Test(arguments: ["/a/../b?c=../d", "/a/%2e%2e/b?c=../d"])
    func `a Digest answer covers the target that is sent`(target: String) async throws {
        let address = url("http://host.test\(target)")
        var request = TransportRequest(URLRequest(url: address))
        request.credential = URLCredential(user: "user", password: "secret", persistence: .none)
        let answers = Recorder<TransportRequest>()
        _ = try await request.answeringChallenges(AuthenticationCache()) { request in
            let isKnown = request.urlRequest.value(forHTTPHeaderField: "Authorization") != nil
            if isKnown { answers.record(request) }
            let field = HeaderField(
                name: "WWW-Authenticate", value: "Digest realm=\"realm\", nonce=\"nonce\"")
            return TransportResponse(
                head: ResponseHead(statusCode: isKnown ? 200 : 401, url: address, fields: [field]))
        }
        let answer = try #require(answers.items.first).urlRequest
        #expect(answer.url?.absoluteString == "http://host.test/b?c=../d")
        let field = answer.value(forHTTPHeaderField: "Authorization") ?? ""
        #expect(field.contains("uri=\"/b?c=../d\""), "\(field)")
    }

    @Test func `metrics of a challenged request include both exchanges`() async throws {
        var request = TransportRequest(URLRequest(url: url("http://host.test")))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        let count = Locked(0)
        let response = try await request.answeringChallenges(AuthenticationCache()) { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let head = ResponseHead(
                statusCode: isFirst ? 401 : 200, url: url("http://host.test"),
                fields: [HeaderField(name: "WWW-Authenticate", value: "Basic realm=\"a\"")])
            var response = TransportResponse(head: head)
            response.metrics.firstByte = 0.1
            response.metrics.total = 0.5
            response.metrics.bytesSent = 7
            return response
        }
        #expect(count.withLock { $0 } == 2)
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.firstByte == 0.6)
        #expect(response.metrics.total == 1)
        #expect(response.metrics.bytesSent == 14)
    }
}

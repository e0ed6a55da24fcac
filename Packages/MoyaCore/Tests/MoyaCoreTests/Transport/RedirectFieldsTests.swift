import Foundation
@testable import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Header fields that a redirect sends to another origin.
@Suite struct RedirectFieldsTests {
    /// Returns the header fields of the request that follows a redirect of `status` to `location`.
    private func followed(
        _ headers: [String: String], to location: String, status: Int = 307,
        body: RequestBody = .none,
        policy: RedirectPolicy = .follow()
    ) async throws -> [String: String] {
        var urlRequest = URLRequest(url: url("https://a.test/x"))
        urlRequest.httpMethod = "POST"
        urlRequest.allHTTPHeaderFields = headers
        let sent = Recorder<TransportRequest>()
        _ = try await TransportRequest(urlRequest, body: body, redirectPolicy: policy)
            .followingRedirects { request in
                sent.record(request)
                let isFirst = sent.count == 1
                return TransportResponse(
                    head: ResponseHead(
                        statusCode: isFirst ? status : 200, url: url("https://a.test/x"),
                        fields: isFirst ? [HeaderField(name: "Location", value: location)] : []))
            }
        return try #require(sent.items.last).urlRequest.allHTTPHeaderFields ?? [:]
    }

    private static let harmless = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "User-Agent", "Range",
        "If-Range",
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Cache-Control",
        "Pragma",
    ]
    private static let ofBody = [
        "Content-Type", "Content-Encoding", "Content-Language", "Content-Digest", "Expect",
    ]

    @Test(arguments: [
        "apikey", "X-ApiKey", "X-NuGet-ApiKey", "X-Functions-Key", "X-Session-Id", "X-Auth",
        "X-JWT-Assertion",
        "x-amz-server-side-encryption-customer-key", "X-Otp", "Authorization", "Cookie", "Host",
        "Origin",
        "Referer", "Proxy-Authorization", "X-Tenant", "X-User-Id", "Idempotency-Key",
        "Accept-Token", "From",
    ])
    func `a header field not known to be harmless is not sent to another origin`(name: String)
        async throws
    {
        for elsewhere in ["https://b.test/", "https://sub.a.test/", "https://a.test:8443/"] {
            #expect(
                try await followed([name: "hush", "Accept": "a"], to: elsewhere) == ["Accept": "a"])
        }
        #expect(try await followed([name: "hush"], to: "/elsewhere").count == 1)
    }

    @Test func `harmless header fields follow a redirect to another origin`() async throws {
        let headers = Dictionary(
            uniqueKeysWithValues: (Self.harmless + Self.ofBody).map { ($0, "v") })
        let body = RequestBody.data(Data("b".utf8))
        #expect(try await followed(headers, to: "https://b.test/", body: body) == headers)
    }

    @Test func `header fields of a body are dropped when a redirect drops the body`() async throws {
        let headers = Dictionary(
            uniqueKeysWithValues: (Self.harmless + Self.ofBody).map { ($0, "v") })
        let sent = try await followed(
            headers, to: "https://b.test/", status: 303, body: .data(Data("b".utf8)))
        #expect(Set(sent.keys) == Set(Self.harmless))
    }

    @Test func `header fields named by the redirect policy are sent to another origin`()
        async throws
    {
        let headers = [
            "X-Tenant": "1", "X-Api-Key": "2", "Host": "a.test", "Origin": "https://a.test",
            "Accept": "a",
        ]
        let named = RedirectPolicy.follow().crossOrigin(.also(["x-tenant", "host"]))
        #expect(
            try await followed(headers, to: "https://b.test/", policy: named) == [
                "X-Tenant": "1", "Accept": "a",
            ])
        let all = RedirectPolicy.modify { _, proposed in proposed }.crossOrigin(.all)
        #expect(
            try await followed(headers, to: "https://b.test/", policy: all.limited { _, _ in true })
                == ["X-Tenant": "1", "X-Api-Key": "2", "Accept": "a"])
        #expect(!named.isDefault)
        #expect(RedirectPolicy.follow().isDefault)
    }

    @Test func `a redirect from http to https counts as a redirect to another origin`() async throws
    {
        let next = try Redirect.next(
            after: ResponseHead(
                statusCode: 301, url: url("http://a.test/"),
                fields: [HeaderField(name: "Location", value: "https://a.test/")]),
            for: {
                var request = URLRequest(url: url("http://a.test/"))
                request.allHTTPHeaderFields = ["X-Tenant": "hush", "Accept": "a"]
                return TransportRequest(request)
            }(), hops: 0)
        #expect(next?.urlRequest.allHTTPHeaderFields == ["Accept": "a"])
    }
}

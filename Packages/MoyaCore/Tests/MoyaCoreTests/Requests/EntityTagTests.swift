import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct EntityTagTests {
    // RFC 9110, section 8.8.3.
    @Test(arguments: [#""xyzzy""#, #"W/"xyzzy""#, #""""#, #"W/"""#, #""a,b\""#, "\"caf\u{E9}\""])
    func `EntityTag keeps a valid entity tag unchanged`(value: String) throws {
        let tag = try #require(EntityTag(value))
        #expect(tag.description == value)
    }

    @Test(arguments: [
        "", "xyzzy", "\"", "\"a", "a\"", #"w/"a""#, #"W/ "a""#, #""a"b""#, "\"a b\"",
        "\"a\r\nX: y\"",
        "\"\u{7F}\"", "*",
    ])
    func `EntityTag returns nil for an invalid entity tag`(value: String) {
        #expect(EntityTag(value) == nil)
    }

    @Test func `the entity tag of a response can be sent in If-None-Match of the next request`()
        async throws
    {
        let transport = StubTransport { request in
            let known = request.urlRequest.value(forHTTPHeaderField: "If-None-Match")
            let status = known == #""v1""# ? 304 : 200
            return try .stub(
                status: status, headers: [HeaderField(name: "ETag", value: #""v1""#)],
                data: Data(status == 200 ? #"{"login":"a","id":1}"#.utf8 : "".utf8), for: request)
        }
        let provider = MoyaProvider<GetPerson>(transport: transport)
        let first: Moya.Response = try await provider.request(GetPerson(id: 1))
        let tag = try #require(first.entityTag)
        let again = GetPerson(id: 1, headers: .ifNoneMatch(tag))
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(again) as Person
        }
        #expect(error?.response?.statusCode == 304)
        #expect(error?.response?.entityTag == tag)
    }

    @Test func `ifMatch and ifNoneMatch join their tags, and are empty without a tag`() throws {
        let (a, b) = (try #require(EntityTag(#""a""#)), try #require(EntityTag(#"W/"b""#)))
        #expect([String: String].ifNoneMatch(a, nil, b) == ["If-None-Match": #""a", W/"b""#])
        #expect([String: String].ifMatch(a) == ["If-Match": #""a""#])
        #expect([String: String].ifMatch(nil) == [:])
        let endpoint = Endpoint.test(headers: ["if-match": "old"])
        #expect(
            endpoint.adding(newHTTPHeaderFields: .ifMatch(a)).httpHeaderFields
                == ["If-Match": #""a""#])
    }
}

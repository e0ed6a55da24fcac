import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct TypedCatalogTests {
    private struct ReadPost: SampledTarget {
        typealias Response = Post
        var id = 1
        var coders: Coders? = nil
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/posts/\(segment: id)" }
        var sample: Post { Post(id: id, title: "Hello") }
    }

    private struct Count: ResponseTarget {
        typealias Response = Int
        var sampleData = Data()
        var coders: Coders? = nil
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/count" }
    }

    private struct Remove: ResponseTarget {
        typealias Response = Void
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/remove" }
        var method: MoyaCore.Method { .delete }
    }

    @Test func `samples of typed targets are checked against the type of the response`() {
        let catalog = TargetCatalog<MultiTarget> {
            MultiTarget(ReadPost())
            MultiTarget(Count(sampleData: Data(#""three""#.utf8)))
            MultiTarget(Count())
            MultiTarget(Remove())
        }
        #expect(
            catalog.entries.map(\.expectation.description) == ["Post", "Int", "Int", "nothing"])
        let findings = catalog.omitting(.duplicates).check().findings
        #expect(findings.map(\.check) == [.sample, .sample])
        #expect(findings.first?.reason.contains("does not decode into Int") == true)
        #expect(findings.last?.reason.contains("sample data is empty") == true)
    }

    private struct Measure: SampledTarget {
        typealias Response = Double
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/measure" }
        var sample: Double { .infinity }
    }

    // JSON cannot represent infinity (RFC 8259, section 6).
    @Test func `a sample that cannot be encoded is reported with the encoder's reason`() {
        #expect(Measure().sampleData.isEmpty)
        let one = TargetCatalog { Measure() }.check().findings
        let multi = TargetCatalog<MultiTarget> { MultiTarget(Measure()) }.check().findings
        for findings in [one, multi] {
            #expect(findings.map(\.check) == [.sample])
            #expect(findings.first?.reason.contains("cannot be encoded") == true)
            #expect(findings.first?.reason.contains("inf") == true)
        }
    }

    @Test func `an explicit expectation replaces the response type of a typed target`() {
        let entry = Count(sampleData: Data("three".utf8)).expecting(.text)
        #expect(TargetCatalog { entry }.check().findings == [])
    }

    @Test func `samples are decoded with the coders of the provider, or with those of the target`()
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { keys in
            let name = keys.last?.stringValue ?? ""
            return CodingName(stringValue: name.replacingOccurrences(of: "post_", with: ""))
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { keys in
            CodingName(stringValue: "post_" + (keys.last?.stringValue ?? ""))
        }
        let coders = Coders(decoder: decoder, encoder: encoder)
        let own = TargetCatalog { ReadPost(coders: coders) }
        #expect(own.check().findings == [])
        let transport = StubTransport { try .stub(for: $0) }
        let plain = MoyaProvider<ReadPost>(transport: transport, coders: coders)
        #expect(TargetCatalog { ReadPost() }.check(with: plain).findings == [])
    }

    private struct Today: SampledTarget {
        typealias Response = [String: Date]
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/today" }
        var sample: [String: Date] { ["day": Date(timeIntervalSince1970: 0)] }
    }

    @Test func `samples are encoded with the coders of the provider`() {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let transport = StubTransport { try .stub(for: $0) }
        func findings(_ coders: Coders) -> [TargetProblem] {
            let provider = MoyaProvider<Today>(transport: transport, coders: coders)
            return TargetCatalog { Today() }.check(with: provider).findings
        }
        #expect(findings(Coders(decoder: decoder, encoder: encoder)) == [])
        #expect(findings(.json) == [])
        #expect(findings(Coders(decoder: decoder)).map(\.check) == [.sample])
    }

    private enum Plain: TargetType {
        case post
        var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/post" }
        var method: MoyaCore.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
        var validationType: ValidationType { .successCodes }
        var sampleData: Data { Data(#"{"post_id":1,"post_title":"a"}"#.utf8) }
    }

    private struct CamelPost: Decodable {
        var postId: Int
        var postTitle: String
    }

    @Test func `an expected type is decoded with the coders of the provider, or with a decoder`()
        async
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let transport = StubTransport { try .stub(data: Plain.post.sampleData, for: $0) }
        let provider = MoyaProvider<Plain>(
            transport: transport, coders: Coders(decoder: decoder))
        let other = MoyaProvider<Plain>(transport: transport)
        let one = TargetCatalog<Plain> { Plain.post.expecting(CamelPost.self) }
        let all = TargetCatalog([Plain.post]).expecting(CamelPost.self)
        for catalog in [one, all] {
            #expect(catalog.check(with: provider).findings == [])
            #expect(await catalog.checkLive(with: provider).findings == [])
            #expect(catalog.check(with: other).findings.map(\.check) == [.sample])
            #expect(catalog.check().findings.map(\.check) == [.sample])
        }
        let given = TargetCatalog<Plain> {
            Plain.post.expecting(.json(CamelPost.self, using: decoder))
        }
        #expect(given.check(with: other).findings == [])
    }

    @Test func `an expected type is decoded with the coders of the target`() {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let target = Count(
            sampleData: Data(#"{"post_id":1,"post_title":"a"}"#.utf8),
            coders: Coders(decoder: decoder))
        let catalog = TargetCatalog { target.expecting(CamelPost.self) }
        #expect(catalog.check().findings == [])
        let provider = MoyaProvider<Count>(transport: StubTransport { try .stub(for: $0) })
        #expect(catalog.check(with: provider).findings == [])
    }

    @Test
    func
        `a target type that lists its cases needs no list, and a case without an example is missing`()
    {
        let report = TargetCatalog(Listed.self).check()
        #expect(report.rows.map(\.expectation) == ["Post", "Int"])
        #expect(report.findings.map(\.check) == [.coverage, .sample])
        #expect(report.general.map(\.target) == ["Listed.search"])
        #expect(report.general.first?.reason.contains("example: [") == true)
    }

    @Test
    func `targets in a catalog's list are checked against the response that their type lists`() {
        let report = TargetCatalog<Listed> {
            Listed.post(id: 2)
            Listed.search("a")
        }.check()
        #expect(report.rows.map(\.expectation) == ["Post", "text"])
        #expect(report.general.map(\.target) == ["Listed.count"])
    }

    @Test func `a live response is decoded with the coders of the provider`() async {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Answer: Decodable { var theTitle: String }
        struct Read: ResponseTarget {
            typealias Response = [String: Answer]
            var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
            var path: String { "/" }
        }
        let transport = StubTransport { try .stub(json: ["a": ["the_title": "b"]], for: $0) }
        let catalog = TargetCatalog { Read() }
        let right = MoyaProvider<Read>(transport: transport, coders: Coders(decoder: decoder))
        #expect(await catalog.checkLive(with: right).findings == [])
        let wrong = MoyaProvider<Read>(transport: transport)
        #expect(await catalog.checkLive(with: wrong).findings.map(\.check) == [.live])
    }
}

/// A target type that lists its cases.
private enum Listed: ListedTarget {
    case post(id: Int)
    case count
    case search(String)

    static var listedCases: [ListedCase<Listed>] {
        [
            ListedCase(name: "post", example: .post(id: 1), response: "Post", hasBody: true) {
                _ = try $0.decode(Post.self)
            },
            ListedCase(name: "count", example: .count, response: "Int", hasBody: true) {
                _ = try $0.decode(Int.self)
            },
            ListedCase(name: "search", example: nil, response: "text", hasBody: nil) { _ in },
        ]
    }

    var baseURL: URL { URL(string: "https://forum.test") ?? URL(fileURLWithPath: "/") }
    var path: String { "/listed/\(self)" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data { Data(#"{"id":1,"title":"a"}"#.utf8) }
}

private struct CodingName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

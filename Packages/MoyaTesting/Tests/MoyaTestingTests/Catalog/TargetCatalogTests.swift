import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTesting

@Suite struct TargetCatalogTests {
    private let provider = MoyaProvider<Shop>(transport: StubTransport { try .stub(for: $0) })

    @Test func `a catalog lists every case of a CaseIterable target type`() {
        #expect(TargetCatalog(Shop.self).entries.map(\.target) == [.list, .buy])
    }

    @Test func `a catalog of sound targets has no findings`() throws {
        let report = TargetCatalog(Shop.self).expecting([Int].self).check()
        #expect(report.findings == [])
        #expect(report.rows.map(\.outcome) == [.passed, .passed])
        try report.requireNoProblems()
    }

    @Test func `a catalog's list may contain conditions and loops`() {
        let wantsMore = false
        let catalog = TargetCatalog<Forum> {
            Forum.posts.expecting([Post].self)
            for id in 1...2 { Forum.post(id) }
            if wantsMore { Forum.delete }
        }
        #expect(catalog.entries.map(\.target.path) == ["/posts", "/posts/1", "/posts/2"])
        #expect(
            catalog.entries.map(\.expectation.description) == [
                "Array<Post>", "anything", "anything",
            ])
    }

    @Test func `a catalog reports cases without an entry`() {
        let catalog = TargetCatalog<Forum> {
            Forum.posts
            Forum.post(1)
            Forum.search("a")
            Forum.rename("b")
            Forum.delete
        }
        .covering(Forum.Name.self, by: \.name)
        let report = catalog.check()
        #expect(report.general.map(\.target) == ["Forum.secret", "Forum.forgotten"])
        #expect(report.general.allSatisfy { $0.check == .coverage && !$0.isWarning })
        #expect(report.general.allSatisfy { !$0.reason.contains("example:") })
        #expect(catalog.omitting(.coverage).check().general == [])
        #expect(catalog.filter { $0.method == .get }.check().general == [])
    }

    @Test func `a catalog reports cases of a CaseIterable target type without an entry`() {
        let report = TargetCatalog<Shop> { Shop.list }.check()
        #expect(report.general.map(\.target) == ["Shop.buy"])
    }

    @Test func `a catalog of an enum whose cases Swift does not list reports no case as missing`() {
        #expect(TargetCatalog<Forum> { Forum.posts }.check().general == [])
    }

    @Test func `a catalog reports sample data that does not decode, with the place`() {
        let report = TargetCatalog<Forum> { Forum.post(1).expecting(Post.self) }.check()
        #expect(
            report.reasons(.sample) == [
                "Its sample data does not decode into Post: expected Int at id."
            ])
    }

    @Test func `a catalog reports missing and unexpected sample data`() {
        var full = Plain()
        full.sampleData = Data("{}".utf8)
        let report = TargetCatalog<Plain> {
            Plain().expecting(Post.self)
            full.expecting(.noBody)
            full.expecting(.json(Post.self, atKeyPath: "data.post"))
            full.expecting(.satisfying("odd") { _ in throw URLError(.badURL) })
        }
        .omitting(.duplicates).check()
        let reasons = report.reasons(.sample)
        #expect(reasons.count == 4)
        #expect(
            reasons[0] == "Its sample data is empty, where Post is expected. Fill in sampleData.")
        #expect(reasons[1] == "Its sample data has 2 bytes, where no body is expected.")
        #expect(reasons[2].contains("no JSON with something at \"data.post\""))
        #expect(reasons[3].hasPrefix("Its sample data is not as expected (odd): "))
    }

    @Test func `a catalog reports targets with equal requests`() {
        let report = TargetCatalog<Forum> {
            Forum.posts
            // Allowed: targets with another query, and several values of one case.
            Forum.search("a")
            Forum.search("b")
            Forum.delete
            Forum.rename("c")
            Forum.forgotten
        }
        .omitting(.coverage).check()
        #expect(report.reasons(.duplicates) == [])

        var other = Plain()
        other.validationType = .none
        let twice = TargetCatalog([Plain(), other]).check()
        #expect(twice.rows.map(\.outcome) == [.passed, .failed])
        #expect(twice.reasons(.duplicates).first?.hasPrefix("It has the method, the path") == true)
    }

    @Test(arguments: [
        ("https://user:pass@a.test/", "a user name or a password"),
        ("https://a.test/?token=x", "by the name of \"token\""),
        ("https://a.test/?q=ghp_abcdefghijklmnopqrst", "by the name of \"q\""),
        ("https://a.test/AKIAABCDEFGHIJKLMNOP/x", "A segment of its path"),
    ])
    func `a catalog reports secrets in URLs without printing them`(url: String, reason: String) {
        let provider = endpointProvider(url: url)
        let report = TargetCatalog([Shop.list]).check(with: provider)
        #expect(report.reasons(.secrets).count == 1)
        #expect(report.reasons(.secrets).first?.contains(reason) == true)
        for text in [report.table, report.html] {
            #expect(!text.contains(":pass"))
            #expect(!text.contains("ghp_abc") && !text.contains("AKIAABC"))
        }
        #expect(!(report.reasons(.secrets).first ?? "").contains("ghp_"))
    }

    @Test func `a catalog reports secrets that a plugin puts into the URL`() {
        struct TokenInURL: PluginType {
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                var request = request
                request.url = request.url?.appendingPathComponent(
                    "eyJhbGciOiJIUzI1NiJ9.e30.abcdefghijk")
                return request
            }
        }
        let provider = MoyaProvider<Shop>(
            transport: StubTransport { try .stub(for: $0) }, plugins: [TokenInURL()])
        #expect(TargetCatalog([Shop.list]).check(with: provider).reasons(.secrets).count == 1)
        #expect(TargetCatalog([Shop.list]).check().reasons(.secrets) == [])
    }

    @Test(arguments: [
        (ValidationType.customCodes([]), "Its list of status codes is empty"),
        (.customCodes([200, 42]), "It accepts the status 42, which no final response has."),
        (.customCodes([201]), "Its sample has the status 200, which its validation refuses."),
        (.none, "an error page would be taken for Array<Int>"),
    ])
    func `a catalog reports a validation that is empty or contradicts the sample`(
        type: ValidationType, reason: String
    ) {
        var target = Plain()
        target.validationType = type
        target.sampleData = Data("[1]".utf8)
        let report = TargetCatalog<Plain> { target.expecting([Int].self) }.check()
        #expect(report.reasons(.validation).count == 1)
        #expect(report.reasons(.validation).first?.contains(reason) == true)
    }

    @Test func `a catalog reports an unencodable task and a body on a GET`() {
        struct Unencodable: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws { throw URLError(.badURL) }
        }
        var broken = Plain()
        broken.method = .post
        broken.task = .requestJSONEncodable(Unencodable())
        var odd = Plain()
        odd.task = .requestData(Data("body".utf8))
        let report = TargetCatalog([broken, odd]).check()
        #expect(report.rows[0].outcome(of: .task) == .failed)
        #expect(report.rows[0].outcome(of: .endpoint) == .passed)
        #expect(report.rows[1].outcome(of: .task) == .failed)
        #expect(throws: CatalogReport.Failure.self) { try report.requireNoProblems() }
    }

    @Test func `a catalog reports a question mark in a path`() throws {
        var target = Plain()
        target.path = "/search?q=emma"
        let report = TargetCatalog([target]).check()
        let problem = try #require(report.rows[0].findings.first { $0.check == .endpoint })
        #expect(problem.reason.contains("%3F"))
        #expect(problem.reason.contains(".requestParameters"))
        #expect(!problem.isWarning)
        // An encoded question mark is intended.
        target.path = "/search%3Fq"
        #expect(TargetCatalog([target]).check().rows[0].outcome(of: .endpoint) == .passed)
    }

    @Test(arguments: [
        ("no URL", "Failed to map Endpoint"), ("/relative", "neither http nor https"),
        ("ftp://a.test/", "neither http nor https"), ("http:///path", "no host"),
        ("https://a.test/users/Optional(3)", "Unwrap the value"),
        ("https://a.test/users//posts", "an empty segment"),
        ("https://a.test/users/%7Bid%7D", "a placeholder left"),
    ])
    func `a catalog reports a URL that cannot work`(url: String, reason: String) {
        let report = TargetCatalog([Shop.list]).check(with: endpointProvider(url: url))
        #expect(report.findings.contains { $0.check == .endpoint && $0.reason.contains(reason) })
    }

    @Test func `a report with problems throws an error that lists all of them`() {
        let report = TargetCatalog<Forum> { Forum.secret.expecting(Post.self) }
            .omitting(.coverage).check()
        let error = #expect(throws: CatalogReport.Failure.self) { try report.requireNoProblems() }
        #expect(
            error?.description == """
                Forum has 2 problems:
                - a target: Its sample data is empty, where Post is expected. Fill in sampleData.
                - a target: Its query holds a secret, by the name of "access_token". URLs end up in \
                logs: send it in a header field.
                """)
    }

    @Test func `a catalog checks the sample responses of a provider with closures`() {
        let catalog = TargetCatalog(Shop.allCases)
        let whole = catalog.expecting { _ in
            .satisfying("an array of numbers") { _ = try $0.map([Int].self) }
        }
        #expect(whole.check(with: provider).problems == [])
        let problems = catalog.expecting { target in
            .satisfying("what the test expects") { response in
                if target == .buy { _ = try response.map([String].self) }
            }
        }
        .check(with: provider).problems
        #expect(problems.map(\.target) == ["buy"])
        #expect(problems.map(\.check) == [.sample])
    }

    private func endpointProvider(url: String) -> MoyaProvider<Shop> {
        MoyaProvider(
            endpointClosure: { _ in
                Endpoint(
                    url: url, sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: .get, task: .requestPlain, httpHeaderFields: nil)
            }, transport: StubTransport { try .stub(for: $0) })
    }
}

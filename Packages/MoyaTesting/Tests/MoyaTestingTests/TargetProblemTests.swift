import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct TargetProblemTests {
    private let provider = MoyaProvider<Shop>(transport: StubTransport { try .stub(for: $0) })

    @Test func `finds nothing where all is well`() {
        #expect(
            provider.problems(in: Shop.allCases) { _, response in _ = try response.map([Int].self) }
                == [])
    }

    @Test func `names sample data that does not do`() {
        let problems = provider.problems(in: Shop.allCases) { target, response in
            if target == .buy { _ = try response.map([String].self) }
        }
        #expect(problems.map(\.target) == ["buy"])
        #expect(problems.first?.reason.hasPrefix("Its sample data does not do: ") == true)
    }

    @Test(arguments: [
        ("no URL", "Failed to map Endpoint"), ("/relative", "neither http nor https"),
        ("ftp://a.test/", "neither http nor https"), ("http:///path", "no host"),
    ])
    func `names a URL that cannot work`(url: String, reason: String) {
        let provider = MoyaProvider<Shop>(
            endpointClosure: { _ in
                Endpoint(
                    url: url, sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: .get,
                    task: .requestPlain, httpHeaderFields: nil)
            }, transport: StubTransport { try .stub(for: $0) })
        let problems = provider.problems(in: [Shop.list])
        #expect(
            problems.contains { $0.description.hasPrefix("list: ") && $0.reason.contains(reason) })
    }
}

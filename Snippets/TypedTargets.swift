// Targets with a response type and an error type, and a list that is read page by page.
import Foundation
import Moya

nonisolated struct Issue: Codable, Sendable {
    var number: Int
    var title: String
}

nonisolated struct Refusal: Decodable, Sendable {
    var message: String
}

nonisolated protocol IssuesTarget: ResponseTarget where Failure == Refusal {}

extension IssuesTarget {
    nonisolated var baseURL: URL {
        URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/")
    }
}

nonisolated struct GetIssue: IssuesTarget, SampledTarget {
    typealias Response = Issue

    let number: Int
    var path: String { "/repos/Moya/Moya/issues/\(segment: number)" }
    var sample: Issue { Issue(number: number, title: "A sample") }
}

nonisolated struct ListIssues: IssuesTarget {
    typealias Response = [Issue]

    var path: String { "/repos/Moya/Moya/issues" }
}

func readIssues(_ provider: MoyaProvider<MultiTarget>) async throws {
    let target = GetIssue(number: 1)
    do {
        print(try await provider.request(target).title)
    } catch let error as MoyaError {
        print(error.failure(of: target)?.message ?? error.problem?.title ?? "\(error)")
    }
    for try await page in provider.pages(of: ListIssues(), limit: 5) {
        print(page.map(\.title))
    }
}

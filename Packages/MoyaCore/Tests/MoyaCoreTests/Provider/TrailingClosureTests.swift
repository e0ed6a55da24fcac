import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// Overload resolution of `request` in asynchronous code. Most of the test is that it compiles.
@Suite(.timeLimit(.minutes(3))) struct TrailingClosureTests {
    private let provider = MoyaProvider<GitHub>(
        callbackQueue: .global(), transport: FixedTransport())
    private let answers = Recorder<Int?>()

    @Test func `a trailing closure of request is the completion`() async throws {
        let answers = answers
        provider.request(.zen) { _ in answers.record(1) }
        provider.request(.zen) { result in
            switch result {
            case .success(let response): answers.record(response.statusCode)
            case .failure: answers.record(nil)
            }
        }
        let token = provider.request(.zen) { answers.record(try? $0.get().statusCode) }
        provider.request(.zen, progress: { _ in }) { _ in answers.record(1) }
        provider.request(.zen) { _ in
        } completion: { _ in
            answers.record(1)
        }
        try await until { answers.count == 5 }
        #expect(answers.items.compactMap(\.self).sorted() == [1, 1, 1, 200, 200])
        #expect(!token.isCancelled)
    }

    @Test func `request without closures awaits the response`() async throws {
        #expect(try await provider.request(.zen).statusCode == 200)
        let response = try await provider.request(.zen)
        #expect(response.statusCode == 200)
    }
}

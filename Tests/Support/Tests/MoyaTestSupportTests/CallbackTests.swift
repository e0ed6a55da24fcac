import Dispatch
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallbackTests {
    @Test func `withCallback returns the value that another thread resumes its callback with`()
        async throws
    {
        let value = try await withCallback { callback in
            DispatchQueue.global().async { callback.resume(returning: 7) }
        }
        #expect(value == 7)
    }

    @Test func `withCallback throws at its time limit if its callback is never resumed`() async {
        let error = await #expect(throws: NeverMet.self) {
            try await withCallback(within: 0.01) { (_: Callback<Void>) in }
        }
        #expect(error?.description.hasPrefix("CallbackTests.swift:") == true)
    }

    @Test func `Resuming a callback twice fails the test`() async {
        await withKnownIssue {
            try await withCallback { (callback: Callback<Void>) in
                callback.resume()
                callback.resume()
            }
        }
    }
}

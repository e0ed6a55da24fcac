import Dispatch
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallbackTests {
    @Test func `The value that a callback is resumed with from another thread is returned`()
        async throws
    {
        let value = try await withCallback { callback in
            DispatchQueue.global().async { callback.resume(returning: 7) }
        }
        #expect(value == 7)
    }

    @Test func `A callback that nobody resumes is an error when its time is over`() async {
        let error = await #expect(throws: NeverMet.self) {
            try await withCallback(within: 0.01) { (_: Callback<Void>) in }
        }
        #expect(error?.description.hasPrefix("CallbackTests.swift:") == true)
    }

    @Test func `A callback that is resumed twice fails the test`() async {
        await withKnownIssue {
            try await withCallback { (callback: Callback<Void>) in
                callback.resume()
                callback.resume()
            }
        }
    }
}

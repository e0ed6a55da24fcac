import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// What overriding each `open` member of a provider does: the table in the documentation of
/// `MoyaProvider`.
@Suite(.timeLimit(.minutes(3))) struct OverrideTests {
    /// Overrides every open member.
    private final class Counting: MoyaProvider<GitHub>, @unchecked Sendable {
        // Safe: adds a constant of a Sendable type.
        let calls = Recorder<String>()

        override var inflightRequests: [Endpoint: [Completion]] {
            calls.record("inflightRequests")
            return super.inflightRequests
        }

        override func endpoint(_ target: GitHub) -> Endpoint {
            calls.record("endpoint")
            return super.endpoint(target)
        }

        override func request(
            _ target: GitHub, callbackQueue: DispatchQueue? = nil, progress: ProgressBlock? = nil,
            completion: @escaping Completion
        ) -> any Cancellable {
            calls.record("completion")
            return super.request(
                target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }

        override func request(_ target: GitHub) async throws -> Response {
            calls.record("await")
            return try await super.request(target)
        }
    }

    private static let behaviors = [StubBehavior.never, .immediate, .delayed(seconds: 0.001)]

    private func provider(_ behavior: StubBehavior) -> Counting {
        Counting(
            stubClosure: { _ in behavior }, callbackQueue: .global(), transport: FixedTransport(),
            trackInflights: true)
    }

    @Test(arguments: behaviors)
    func `a request with a completion reaches the overrides of that form and of endpoint`(
        behavior: StubBehavior
    ) async throws {
        let provider = provider(behavior)
        _ = try await provider.result(of: .zen).get()
        #expect(provider.calls.items == ["completion", "endpoint"])
    }

    @Test(arguments: behaviors)
    func `progress reaches the overrides of the request with a completion and of endpoint`(
        behavior: StubBehavior
    ) async throws {
        let provider = provider(behavior)
        for try await _ in provider.progress(of: .zen) {}
        #expect(provider.calls.items == ["completion", "endpoint"])
    }

    @Test(arguments: behaviors)
    func `an awaited request reaches the overrides of that form and of endpoint`(
        behavior: StubBehavior
    ) async throws {
        let provider = provider(behavior)
        _ = try await provider.request(.zen)
        #expect(provider.calls.items == ["await", "endpoint"])
        _ = try? await provider.request(.zen, as: String.self)
        #expect(provider.calls.items == ["await", "endpoint", "await", "endpoint"])
    }

    @Test(arguments: behaviors)
    func `a streamed request reaches the override of endpoint alone`(
        behavior: StubBehavior
    ) async throws {
        let provider = provider(behavior)
        #expect(try await provider.stream(.zen).statusCode == 200)
        #expect(provider.calls.items == ["endpoint"])
    }
}

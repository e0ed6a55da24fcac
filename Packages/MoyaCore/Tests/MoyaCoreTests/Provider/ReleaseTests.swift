import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// The references that a request holds after it has completed.
@Suite(.timeLimit(.minutes(3))) struct ReleaseTests {
    private final class Witness: Sendable {}

    /// Sends a request, retains its token, and waits until the completion and its captures are
    /// released.
    private func completionIsReleased(
        by provider: MoyaProvider<GitHub>, isCancelled: Bool = false
    ) async throws {
        var witness: Witness? = Witness()
        weak let released = witness
        let tokens = Recorder<any Cancellable>()
        try await withCallback { continuation in
            let token = provider.request(.zen, callbackQueue: .global()) { [witness] _ in
                withExtendedLifetime(witness) { continuation.resume() }
            }
            tokens.record(token)
            if isCancelled { token.cancel() }
        }
        witness = nil
        try await until { released == nil }
        #expect(tokens.count == 1)
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `a retained token does not retain the completion of a finished request`(
        behavior: StubBehavior
    ) async throws {
        try await completionIsReleased(
            by: MoyaProvider(stubClosure: { _ in behavior }, transport: FixedTransport()))
    }

    @Test(arguments: [StubBehavior.never, .delayed(seconds: 1000)])
    func `a retained token does not retain the completion of a cancelled request`(
        behavior: StubBehavior
    ) async throws {
        try await completionIsReleased(
            by: MoyaProvider(stubClosure: { _ in behavior }, transport: GatedTransport()),
            isCancelled: true)
    }

    @Test func `an owner that cancels its request in deinit may be released by the completion`()
        async throws
    {
        final class Owner: Sendable {
            let tokens = Recorder<any Cancellable>()
            let gone: @Sendable () -> Void
            init(gone: @escaping @Sendable () -> Void) { self.gone = gone }
            deinit {
                for token in tokens.items { token.cancel() }
                gone()
            }
        }
        let provider = MoyaProvider<GitHub>(transport: FixedTransport())
        try await withCallback { continuation in
            let owner = Owner { continuation.resume() }
            owner.tokens.record(
                provider.request(.zen, callbackQueue: .global()) { _ in
                    withExtendedLifetime(owner) {}
                })
        }
    }
}

import Foundation
@testable import MoyaLayers
import Testing

@Suite struct TokenStateTests {
    private let now = Date(timeIntervalSince1970: 0)

    private func work(_: Int, _: AccessToken?) -> SharedTask<TokenState.Ticket> {
        SharedTask { throw CancellationError() }
    }

    private func startsRefresh(_ action: TokenState.Action) -> Bool {
        if case .wait(_, isNew: true) = action { true } else { false }
    }

    /// Returns a state whose last refresh has failed.
    private func stateAfterFailure() -> TokenState {
        var state = TokenState(token: AccessToken("a"), now: now)
        _ = state.finish(.failure(TokenRefreshError(.failed)), generation: 0, now: now, uptime: 0)
        return state
    }

    @Test func `A token handed out after a failed refresh and then refused is refreshed again`() {
        var state = stateAfterFailure()
        let action = state.tokenToSend(leeway: 0, now: now, uptime: 1, makeRefresh: work)
        guard case .use(let ticket) = action else {
            Issue.record("The token was not handed out: \(action)")
            return
        }
        let next = state.tokenAfterRefusal(of: ticket, uptime: 1, makeRefresh: work)
        #expect(startsRefresh(next))
    }

    @Test func `A refresh that failed before a successful refresh is not reported later`() {
        var state = stateAfterFailure()
        // A server may issue the same token again.
        _ = state.finish(.success(AccessToken("a")), generation: 0, now: now, uptime: 1)
        let ticket = TokenState.Ticket(token: AccessToken("a"), epoch: 0, generation: 0)
        let next = state.tokenAfterRefusal(of: ticket, uptime: 2, makeRefresh: work)
        #expect(startsRefresh(next))
    }

    @Test func `A refresh that failed before the token was replaced is not reported later`() {
        var state = stateAfterFailure()
        state.replace(AccessToken("a"), isSameUser: true, now: now)
        let ticket = TokenState.Ticket(token: AccessToken("a"), epoch: 0, generation: 0)
        let next = state.tokenAfterRefusal(of: ticket, uptime: 2, makeRefresh: work)
        #expect(startsRefresh(next))
    }
}

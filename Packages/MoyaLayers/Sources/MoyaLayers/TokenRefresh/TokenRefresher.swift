import Foundation
import MoyaCore
import MoyaInternals

/// Keeps an access token, and gets another when it is no longer good: once, however many need it.
///
/// ```swift
/// let tokens = TokenRefresher(token: keychain.token) { old in
///     try await oauth.refresh(old)
/// }
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport().authorizing(with: tokens))
/// ```
///
/// - A token is refreshed shortly before it expires, before a request is sent with it.
/// - A request that the server refuses with 401 waits for a fresh token and is sent once more. A request
///   that was on its way with the old token while others got a fresh one is sent with that.
/// - When a refresh fails, everyone who waited for it fails with the same ``TokenRefreshError``, and so do
///   requests whose 401 arrives later.
/// - After five fresh tokens within thirty seconds there is no other: those who need one are told that it is too often.
///   A refresh that fails is not counted.
///
/// Cancelling a request does not cancel the refresh: others wait for it, and a refresh token that has
/// been used is lost without its answer.
public final class TokenRefresher: Sendable {
    /// Gets another token. Has the last one, which is `nil` at first, and may save the new one.
    ///
    /// A request it makes through a transport that is authorised by this same refresher is sent
    /// without a token.
    public typealias Refresh = @Sendable (_ last: AccessToken?) async throws -> AccessToken

    private let refresh: Refresh
    private let leeway: TimeInterval
    private let clock: any MoyaClock
    private let state: Locked<TokenState>

    /// The refreshers whose closures run in this task: a request made there must not wait for itself.
    @TaskLocal private static var running: Set<ObjectIdentifier> = []

    /// - Parameters:
    ///   - token: The token to begin with. Without one, the first request gets it.
    ///   - leeway: How long before it expires a token is refreshed, in seconds: a quarter of its life at most.
    public init(
        token: AccessToken? = nil, leeway: TimeInterval = 60, clock: any MoyaClock = .system,
        refresh: @escaping Refresh
    ) {
        self.refresh = refresh
        self.leeway = max(0, leeway)
        self.clock = clock
        state = Locked(TokenState(token: token, now: clock.now))
    }

    /// The current token, whether it is still good or not.
    public var token: AccessToken? { state.withLock(\.token) }

    /// Puts `token` in the place of the current one: after signing in, or out with `nil`. What a refresh that is under
    /// way comes to is dropped.
    ///
    /// - Parameter isSameUser: Whether the token belongs to the user of the one before. If not, requests that
    ///   wait for a refresh, or are refused only now, fail with ``TokenRefreshError/Reason/signedOut``: what
    ///   one user asked for is not sent with another's token.
    public func replaceToken(with token: AccessToken?, isSameUser: Bool = false) {
        state.withLock { $0.replace(token, isSameUser: isSameUser, now: clock.now) }
    }

    /// A token that is good for now, refreshed if need be.
    ///
    /// - Throws: ``TokenRefreshError``; `URLError(.cancelled)`.
    public func validToken() async throws -> AccessToken {
        try await ticketToSend().token
    }

    /// Whether the task runs any refresher's closure.
    static var isAnyRefreshing: Bool { !running.isEmpty }

    /// Whether the task runs this refresher's closure.
    var isRefreshing: Bool { Self.running.contains(ObjectIdentifier(self)) }

    func ticketToSend() async throws -> TokenState.Ticket {
        let (action, generation) = state.withLock { state in
            let action = state.tokenToSend(
                leeway: leeway, now: clock.now, uptime: clock.uptime, makeRefresh: makeWork)
            return (action, state.generation)
        }
        do {
            return try await perform(action)
        } catch let error as TokenRefreshError where error.reason != .signedOut {
            return try state.withLock { state in
                try state.standIn(for: error, since: generation, now: clock.now)
            }
        }
    }

    func ticket(afterRefusalOf ticket: TokenState.Ticket) async throws -> TokenState.Ticket {
        try await perform(
            state.withLock { state in
                state.tokenAfterRefusal(
                    of: ticket, uptime: clock.uptime, makeRefresh: makeWork)
            })
    }

    /// Takes note that the server has refused the token to a request that cannot be sent again.
    func refuse(_ ticket: TokenState.Ticket) {
        state.withLock { $0.refuse(ticket) }
    }

    private func perform(_ action: TokenState.Action) async throws -> TokenState.Ticket {
        switch action {
        case .use(let ticket): return ticket
        case .fail(let error): throw error
        case .wait(let work, let isNew):
            if isNew { work.start() }
            return try await work.value()
        }
    }

    private func makeWork(
        generation: Int, last: AccessToken?
    ) -> SharedTask<TokenState.Ticket> {
        SharedTask { [self] in
            let running = Self.running.union([ObjectIdentifier(self)])
            let result = await Result(of: {
                try await Self.$running.withValue(running) { try await refresh(last) }
            }).mapError { TokenRefreshError(.failed, cause: $0) }
            let (now, uptime) = (clock.now, clock.uptime)
            return try state.withLock {
                $0.finish(result, generation: generation, now: now, uptime: uptime)
            }.get()
        }
    }
}

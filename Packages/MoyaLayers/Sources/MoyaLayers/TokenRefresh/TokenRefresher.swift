import Foundation
import MoyaCore
import MoyaInternals

/// Holds an access token, and refreshes it when needed. Requests that need a fresh token at the
/// same time share one refresh.
///
/// ```swift
/// let tokens = TokenRefresher(token: keychain.token) { old in
///     try await oauth.refresh(old)
/// }
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport().authorizing(with: tokens))
/// ```
///
/// - A token is refreshed shortly before it expires, before a request is sent with it.
/// - A request that the server refuses with 401 waits for a fresh token and is sent once more. If
///   another request has already refreshed the token, the refused request uses that token.
/// - If the token endpoint responds with 429 or 503, or cannot be reached, the refresh is repeated
///   up to two times while requests wait for it, after the pauses of ``RetryPolicy``'s defaults and
///   the server's `Retry-After` up to a minute. After any other failure, such as a lost connection,
///   a timeout or status 500, it is not: the server may have replaced the refresh token already.
/// - If a refresh fails, all requests that waited for it fail with the same ``TokenRefreshError``,
///   as do requests sent with the old token whose 401 arrives later.
/// - After five successful refreshes within thirty seconds, further refreshes fail with
///   ``TokenRefreshError/Reason/tooOften``. Failed refreshes do not count.
///
/// Cancelling a request does not cancel the refresh: other requests may wait for it, and the server
/// may already have replaced the refresh token. For the same reason, the deadline of a request ends
/// its wait, but not the refresh.
public final class TokenRefresher: Sendable {
    /// Obtains a new token. `last` is the previous token, or `nil` at first. The closure may save
    /// the new token.
    ///
    /// A request that the closure sends through a transport that this refresher authorizes is sent
    /// without a token.
    public typealias Refresh = @Sendable (_ last: AccessToken?) async throws -> AccessToken

    private let refresh: Refresh
    private let leeway: TimeInterval
    private let clock: any MoyaClock
    private let retry: RefreshRetry
    private let state: Locked<TokenState>

    /// Refreshers whose closures run in this task. A request sent by such a closure must not wait
    /// for the refresh that the closure performs.
    @TaskLocal private static var running: Set<ObjectIdentifier> = []

    /// - Parameters:
    ///   - token: Initial token. If `nil`, the first request obtains one.
    ///   - leeway: Time before its expiration at which a token is refreshed, in seconds. At most a
    ///     quarter of the token's lifetime.
    ///   - refresh: Obtains a new token.
    public init(
        token: AccessToken? = nil, leeway: TimeInterval = 60, clock: any MoyaClock = .system,
        refresh: @escaping Refresh
    ) {
        self.refresh = refresh
        self.leeway = max(0, leeway)
        self.clock = clock
        retry = RefreshRetry(clock: clock)
        state = Locked(TokenState(token: token, now: clock.now))
    }

    /// The current token, which may be expired.
    public var token: AccessToken? { state.withLock(\.token) }

    /// Replaces the current token, after the user signed in, or signed out with `nil`. The result
    /// of a refresh in progress is discarded.
    ///
    /// - Parameter isSameUser: Whether the token belongs to the same user as the previous one. If
    ///   `false`, requests that wait for a refresh, or are refused later, fail with
    ///   ``TokenRefreshError/Reason/signedOut``, so that no request of one user is sent with
    ///   another user's token.
    public func replaceToken(with token: AccessToken?, isSameUser: Bool = false) {
        state.withLock { $0.replace(token, isSameUser: isSameUser, now: clock.now) }
    }

    /// Returns a valid token, and refreshes it first if necessary.
    ///
    /// - Throws: ``TokenRefreshError``; `URLError(.cancelled)`; `URLError(.timedOut)` at the
    ///   deadline of the current task.
    public func validToken() async throws -> AccessToken {
        try await ticketToSend(by: RequestDeadline.current).token
    }

    /// Whether the current task runs any refresher's closure.
    static var isAnyRefreshing: Bool { !running.isEmpty }

    /// Whether the current task runs this refresher's closure.
    var isRefreshing: Bool { Self.running.contains(ObjectIdentifier(self)) }

    /// - Parameter request: The request that needs the token. Its observer is told of a refresh.
    func ticketToSend(
        for request: TransportRequest? = nil, by deadline: RequestDeadline?
    ) async throws -> TokenState.Ticket {
        if let deadline, deadline.hasPassed {
            throw deadline.error(url: request?.urlRequest.url, wasSent: false)
        }
        let (action, generation) = state.withLock { state in
            let action = state.tokenToSend(
                leeway: leeway, now: clock.now, uptime: clock.uptime
            ) { makeWork(generation: $0, last: $1, for: request) }
            return (action, state.generation)
        }
        do {
            return try await perform(action, by: deadline)
        } catch let error as TokenRefreshError where error.reason != .signedOut {
            return try state.withLock { state in
                try state.standIn(for: error, since: generation, now: clock.now)
            }
        }
    }

    func ticket(
        afterRefusalOf ticket: TokenState.Ticket, for request: TransportRequest
    ) async throws -> TokenState.Ticket {
        try await perform(
            state.withLock { state in
                state.tokenAfterRefusal(of: ticket, uptime: clock.uptime) {
                    makeWork(generation: $0, last: $1, for: request)
                }
            }, by: request.deadline)
    }

    /// Records that the server refused the token to a request that cannot be repeated.
    func refuse(_ ticket: TokenState.Ticket) {
        state.withLock { $0.refuse(ticket) }
    }

    private func perform(
        _ action: TokenState.Action, by deadline: RequestDeadline?
    ) async throws -> TokenState.Ticket {
        switch action {
        case .use(let ticket): return ticket
        case .fail(let error): throw error
        case .wait(let work, let isNew):
            if isNew { work.start() }
            return try await work.value(by: deadline)
        }
    }

    private func makeWork(
        generation: Int, last: AccessToken?, for request: TransportRequest?
    ) -> SharedTask<TokenState.Ticket> {
        SharedTask { [self, observer = request?.observer] in
            observer?(.refreshBegan)
            let start = clock.uptime
            let running = Self.running.union([ObjectIdentifier(self)])
            let result = await retry.run(while: { [self] in
                state.withLock { $0.isAwaited(refresh: generation, now: clock.now) }
            }) {
                try await Self.$running.withValue(running) { try await refresh(last) }
            }
            let (now, uptime) = (clock.now, clock.uptime)
            let outcome = state.withLock {
                $0.finish(result, generation: generation, now: now, uptime: uptime)
            }
            do {
                let ticket = try outcome.get()
                observer?(.refreshEnded(error: nil, duration: uptime - start))
                return ticket
            } catch {
                observer?(.refreshEnded(error: error, duration: uptime - start))
                throw error
            }
        }
    }
}

import Foundation

/// State machine of a token and its refresh. No I/O.
struct TokenState: Sendable {
    /// The next step of a request that needs a token.
    enum Action: Sendable {
        case use(Ticket)
        /// Waits for the refresh. If `isNew`, the caller starts it.
        case wait(SharedTask<Ticket>, isNew: Bool)
        case fail(TokenRefreshError)
    }

    /// A token, with the epoch and the generation in which it was handed out.
    struct Ticket: Sendable {
        let token: AccessToken
        let epoch: Int
        let generation: Int
        /// The token's `Authorization` field, made once for each token.
        var authorization: String?
    }

    /// Creates the task that refreshes `last`, the token of this generation.
    typealias MakeRefresh = (_ generation: Int, _ last: AccessToken?) -> SharedTask<Ticket>

    private(set) var token: AccessToken? { didSet { authorization = token?.authorization } }
    private var authorization: String?
    private var receivedAt: Date
    /// Number of finished refreshes and replacements. `failure` is the error of the last refresh,
    /// if it failed.
    private(set) var epoch = 0
    private var failure: TokenRefreshError?
    /// Whether the server refused the token to a request that could not be repeated.
    private var isRefused = false
    /// Number of calls of ``replace(_:isSameUser:now:)``. A refresh of an earlier generation is
    /// discarded.
    private(set) var generation = 0
    /// First generation of the current user. Earlier generations belong to another user.
    private var firstOfUser = 0
    private var refresh: SharedTask<Ticket>?
    /// Whether a request waits for `refresh` because the server has refused the token.
    private var isAwaitedAfterRefusal = false
    /// Times of successful refreshes. Failed refreshes do not count, because they produced no token
    /// that a server could refuse.
    private var refreshTimes: [TimeInterval] = []

    init(token: AccessToken?, now: Date) {
        self.token = token
        authorization = token?.authorization
        receivedAt = now
    }

    /// Returns the next step of a request before it is sent.
    mutating func tokenToSend(
        leeway: TimeInterval, now: Date, uptime: TimeInterval,
        makeRefresh: MakeRefresh
    ) -> Action {
        if let token, !isRefused, authorization != nil,
            !isDue(token, leeway: leeway, now: now)
        {
            return .use(ticket(with: token))
        }
        return joinRefresh(uptime: uptime, makeRefresh)
    }

    /// Returns the current token for a request of this generation whose refresh failed with
    /// `error`, if the token has not expired yet and no server has refused it. Otherwise throws the
    /// error.
    func standIn(
        for error: TokenRefreshError, since generation: Int, now: Date
    ) throws(TokenRefreshError) -> Ticket {
        guard generation >= firstOfUser else { throw TokenRefreshError(.signedOut) }
        guard let token, isUsable(now: now) else { throw error }
        return ticket(with: token)
    }

    /// Whether the current token has not expired yet and no server has refused it.
    private func isUsable(now: Date) -> Bool {
        guard let token, !isRefused, authorization != nil,
            let expiration = token.expiration
        else { return false }
        return expiration > now
    }

    /// Returns the next step of a request after the server refused `ticket`.
    mutating func tokenAfterRefusal(
        of ticket: Ticket, uptime: TimeInterval,
        makeRefresh: MakeRefresh
    ) -> Action {
        // A request of one user must not be sent with another user's token.
        guard ticket.generation >= firstOfUser else { return .fail(TokenRefreshError(.signedOut)) }
        // Another request was refused earlier: its refresh applies to this request too, whether it
        // succeeded or failed.
        if let token, token.value != ticket.token.value { return .use(self.ticket(with: token)) }
        if epoch != ticket.epoch, let failure { return .fail(failure) }
        let action = joinRefresh(uptime: uptime, makeRefresh)
        if case .wait = action { isAwaitedAfterRefusal = true }
        return action
    }

    /// Whether requests wait for the refresh of this generation, and have no other token to use.
    func isAwaited(refresh generation: Int, now: Date) -> Bool {
        guard generation == self.generation, refresh?.isAbandoned == false else { return false }
        return isAwaitedAfterRefusal || !isUsable(now: now)
    }

    /// Records that the server refused `ticket`, so that the next request refreshes the token
    /// first.
    mutating func refuse(_ ticket: Ticket) {
        if token?.value == ticket.token.value { isRefused = true }
    }

    /// Applies the outcome of a refresh, and returns the result for its waiters.
    mutating func finish(
        _ result: Result<AccessToken, TokenRefreshError>, generation: Int, now: Date,
        uptime: TimeInterval
    ) -> Result<Ticket, TokenRefreshError> {
        guard generation == self.generation else {
            guard generation >= firstOfUser, let token else {
                return .failure(TokenRefreshError(.signedOut))
            }
            return .success(ticket(with: token))
        }
        refresh = nil
        isAwaitedAfterRefusal = false
        epoch += 1
        do throws(TokenRefreshError) {
            let fresh = try result.get()
            // An unusable token is not stored, because it would fail every later request.
            guard fresh.authorization != nil else { throw TokenRefreshError(.unusable) }
            token = fresh
            isRefused = false
            receivedAt = now
            failure = nil
            refreshTimes.append(uptime)
            return .success(ticket(with: fresh))
        } catch {
            failure = error
            return .failure(error)
        }
    }

    /// Replaces the current token.
    mutating func replace(_ token: AccessToken?, isSameUser: Bool, now: Date) {
        self.token = token
        isRefused = false
        receivedAt = now
        failure = nil
        refresh = nil
        isAwaitedAfterRefusal = false
        refreshTimes = []
        generation += 1
        if !isSameUser { firstOfUser = generation }
        epoch += 1
    }

    private func ticket(with token: AccessToken) -> Ticket {
        Ticket(
            token: token, epoch: epoch, generation: generation, authorization: authorization)
    }

    /// Whether the token is expired or about to expire. A token with a lifetime shorter than
    /// `leeway` would always be due, so it is used for three quarters of its lifetime.
    private func isDue(_ token: AccessToken, leeway: TimeInterval, now: Date) -> Bool {
        guard let expiration = token.expiration else { return false }
        let lifetime = max(0, expiration.timeIntervalSince(receivedAt))
        return expiration.timeIntervalSince(now) <= min(leeway, lifetime / 4)
    }

    private mutating func joinRefresh(
        uptime: TimeInterval, _ makeRefresh: MakeRefresh
    ) -> Action {
        if let refresh, !refresh.isOver { return .wait(refresh, isNew: false) }
        refreshTimes.removeAll { $0 <= uptime - Self.limitPeriod }
        guard refreshTimes.count < Self.limit else { return .fail(TokenRefreshError(.tooOften)) }
        let work = makeRefresh(generation, token)
        refresh = work
        return .wait(work, isNew: true)
    }

    /// Maximum number of successful refreshes within `limitPeriod` seconds.
    private static let limit = 5
    private static let limitPeriod: TimeInterval = 30
}

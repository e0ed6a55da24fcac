import Foundation

/// What is known about a token and its refresh, without any I/O.
struct TokenState: Sendable {
    /// What a request that needs a token does.
    enum Action: Sendable {
        case use(Ticket)
        /// Wait for the refresh. A caller that gets one with `isNew` starts it.
        case wait(SharedTask<Ticket>, isNew: Bool)
        case fail(TokenRefreshError)
    }

    /// A token, how many refreshes were over when it was handed out, and in which generation.
    struct Ticket: Sendable {
        let token: AccessToken
        let epoch: Int
        let generation: Int
    }

    /// Makes the work of a refresh of `last`, which is the token of this generation.
    typealias MakeRefresh = (_ generation: Int, _ last: AccessToken?) -> SharedTask<Ticket>

    private(set) var token: AccessToken?
    private var receivedAt: Date
    /// How many refreshes are over, and what the last one failed with.
    private(set) var epoch = 0
    private var failure: TokenRefreshError?
    /// Whether the server refused the token to one who could not try again.
    private var isRefused = false
    /// Counts what ``replace(_:isSameUser:now:)`` did: a refresh of what was before is of no use.
    private(set) var generation = 0
    /// The first generation of the user there is. What began before is another's.
    private var firstOfUser = 0
    private var refresh: SharedTask<Ticket>?
    /// When refreshes came to a token. Those that failed have had nothing refused.
    private var refreshTimes: [TimeInterval] = []

    init(token: AccessToken?, now: Date) {
        self.token = token
        receivedAt = now
    }

    /// What to send a request with.
    mutating func tokenToSend(
        leeway: TimeInterval, now: Date, uptime: TimeInterval,
        makeRefresh: MakeRefresh
    ) -> Action {
        if let token, !isRefused, token.authorization != nil,
            !isDue(token, leeway: leeway, now: now)
        {
            return .use(ticket(with: token))
        }
        return joinRefresh(uptime: uptime, makeRefresh)
    }

    /// The current token, for a request that asked in this generation and whose refresh failed with `error`: where it
    /// has not expired yet, it is still good.
    func standIn(
        for error: TokenRefreshError, since generation: Int, now: Date
    ) throws(TokenRefreshError) -> Ticket {
        guard generation >= firstOfUser else { throw TokenRefreshError(.signedOut) }
        guard let token, let expiration = token.expiration, expiration > now else { throw error }
        return ticket(with: token)
    }

    /// What to do after the server refused `ticket`.
    mutating func tokenAfterRefusal(
        of ticket: Ticket, uptime: TimeInterval,
        makeRefresh: MakeRefresh
    ) -> Action {
        // What one user asked for is not done in another's name.
        guard ticket.generation >= firstOfUser else { return .fail(TokenRefreshError(.signedOut)) }
        // Another request was refused before this one: what the refresh for that one came to holds for this one too.
        if let token, token.value != ticket.token.value { return .use(self.ticket(with: token)) }
        if epoch != ticket.epoch, let failure { return .fail(failure) }
        return joinRefresh(uptime: uptime, makeRefresh)
    }

    /// Takes note that the server refused `ticket`, for the next one who needs a token.
    mutating func refuse(_ ticket: Ticket) {
        if token?.value == ticket.token.value { isRefused = true }
    }

    /// Takes the outcome of a refresh, and says what those get who waited for it.
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
        epoch += 1
        switch result {
        case .success(let fresh) where fresh.authorization == nil:
            // Kept, it would fail every request from here on.
            let error = TokenRefreshError(.unusable)
            failure = error
            return .failure(error)
        case .success(let fresh):
            token = fresh
            isRefused = false
            receivedAt = now
            failure = nil
            refreshTimes.append(uptime)
            return .success(ticket(with: fresh))
        case .failure(let error):
            failure = error
            return .failure(error)
        }
    }

    /// Puts another token in the place of the one there is.
    mutating func replace(_ token: AccessToken?, isSameUser: Bool, now: Date) {
        self.token = token
        isRefused = false
        receivedAt = now
        failure = nil
        refresh = nil
        refreshTimes = []
        generation += 1
        if !isSameUser { firstOfUser = generation }
        epoch += 1
    }

    private func ticket(with token: AccessToken) -> Ticket {
        Ticket(token: token, epoch: epoch, generation: generation)
    }

    /// Whether the token is expired or about to. A token that lives shorter than `leeway` would always
    /// be about to, so it is left alone for three quarters of its life.
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

    /// After so many refreshes within so many seconds there is none.
    private static let limit = 5
    private static let limitPeriod: TimeInterval = 30
}

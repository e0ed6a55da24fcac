#if CURL
import CMoyaCurl
import MoyaCore

/// When to look for requests that libcurl has forgotten while they wait inside it.
///
/// When a connection opens or a request ends, libcurl wakes one waiting request, even if that one
/// still has no connection, as those to an unreachable host (curl's pull request 18056). Requests
/// that could go on then wait for the next such event, which may never come.
struct LostWakes {
    /// How long a request waits before it is woken, in nanoseconds.
    private static var interval: UInt64 { 250_000_000 }
    /// The most requests that are woken at a time. Waking costs a fraction of a request, and most
    /// requests wait because every connection is in use.
    private static var most: Int { 64 }

    /// The next time to look, in nanoseconds of ``LoopClock``. `.max` while no request may wait.
    private(set) var due = UInt64.max
    private var position = 0

    /// A request begins, and may wait.
    mutating func noteBegin(_ now: UInt64) {
        if due == .max { due = now &+ Self.interval }
    }

    mutating func takeDue(_ now: UInt64) -> Bool {
        guard due <= now else { return false }
        due = .max
        return true
    }

    /// Of `waiting` requests, those to wake now. Each has its turn.
    mutating func next<Request>(of waiting: [Request]) -> [Request] {
        guard waiting.count > Self.most else { return waiting }
        let start = position % waiting.count
        position = (start + Self.most) % waiting.count
        return (0..<Self.most).map { waiting[(start + $0) % waiting.count] }
    }
}

extension CurlDriver {
    /// Wakes requests that wait inside libcurl, except for a connection that is being opened:
    /// libcurl checks again whether they have one.
    func wakeForgottenRequests() {
        guard lostWakes.takeDue(now) else { return }
        let waiting = handles.attempts.filter(\.waitsForConnection)
        guard !waiting.isEmpty else { return }
        lostWakes.noteBegin(now)
        let hosts = hostStates()
        let mayGoOn = waiting.filter { hosts.state(of: hostKeys.key(for: $0.url)) != .connecting }
        for attempt in lostWakes.next(of: mayGoOn) { wake(attempt) }
    }

    /// Removes an attempt from libcurl and adds it again, which begins with looking for a
    /// connection.
    private func wake(_ attempt: Attempt) {
        watchdog.enter()
        _ = curl_multi_remove_handle(multi.raw, attempt.easy.raw)
        let code = curl_multi_add_handle(multi.raw, attempt.easy.raw)
        watchdog.leave()
        guard code != CURLM_OK else { return }
        let cause = CurlError(code)
        let error = URLError(.unknown, cause.message, url: attempt.url, cause: cause)
        fail(attempt.transfer, with: error)
    }
}
#endif

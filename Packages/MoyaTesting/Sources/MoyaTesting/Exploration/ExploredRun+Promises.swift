import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredRun {
    /// Promises that the server acts on no more than `limit` requests of this kind. What the network delivers twice counts
    /// once.
    ///
    /// - Parameters:
    ///   - path: A template: `/users/{id}`.
    ///   - unlessIdempotent: Whether requests with the same `Idempotency-Key` count once.
    public func neverSends(
        _ method: HTTPMethod, _ path: String, moreThan limit: Int, unlessIdempotent: Bool = false
    ) {
        let matcher = RequestMatcher.method(method) && .path(path)
        let acted = exchanges.filter { $0.actionCount > 0 && matcher.matches($0.request) }
        var keys: Set<String> = []
        let count = acted.count { exchange in
            let key = exchange.request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key")
            guard unlessIdempotent, let key else { return true }
            return keys.insert(key).inserted
        }
        guard count > limit else { return }
        breaks(
            "\(method) \(path) reaches the server \(limit.times) at most",
            "The server acted on it \(count.times).")
    }

    /// Promises that no request that is unsafe to repeat is sent again after the server acted on it and the flow was not
    /// told: no POST and no PATCH without an `Idempotency-Key`.
    ///
    /// - Parameter matcher: Picks the requests. Leave out those that are safe to repeat although they are a POST.
    public func neverRepeatsUnsafely(matching matcher: RequestMatcher = .any) {
        for (index, first) in exchanges.enumerated()
        where first.isUnsafeToRepeat && first.actionCount > 0 && !first.hasSucceeded
            && matcher.matches(first.request)
        {
            let again = exchanges[(index + 1)...].first {
                $0.requestSignature == first.requestSignature && $0.actionCount > 0
            }
            guard again != nil else { continue }
            return breaks(
                "no unsafe request is repeated",
                "\(first.name) was sent again after the server had acted on it: "
                    + "the flow got \(first.reply?.summary ?? "nothing").")
        }
    }

    /// Promises that the flow ends within this time, which is virtual.
    public func ends(within limit: Duration) {
        let promise = "the flow ends within \(limit)"
        if case .unfinished(let reason) = outcome { return breaks(promise, reason) }
        guard let duration, .seconds(duration) > limit else { return }
        breaks(promise, "It took \(duration.plain(1)) seconds.")
    }

    /// Promises that an error of the flow is a `MoyaError`, and that it names a request that was sent: its text, one of the
    /// errors inside or the URL of its response has the path. A path of `/` counts with its method (`GET /`) or in its URL.
    public func errorsAreTyped() { errorsAreTyped(as: MoyaError.self) }

    /// Promises that an error of the flow is of this type, and that it names a request that was sent: its text, one of the
    /// errors inside or the URL of its response has the path. A path of `/` counts with its method (`GET /`) or in its URL.
    public func errorsAreTyped<Failure: Error>(as type: Failure.Type) {
        guard let error, !isCancelled else { return }
        guard error is Failure else {
            return breaks("errors are of type \(type)", "The flow threw \(Swift.type(of: error)).")
        }
        let url = (error as? MoyaError)?.response?.request?.url?.absoluteString ?? ""
        let text = ErrorText.everything(about: error) + " " + url
        guard !exchanges.isEmpty, !exchanges.contains(where: { $0.isNamed(in: text) }) else {
            return
        }
        let names = exchanges.map(\.name).joined(separator: ", ")
        breaks("errors name the request", "The flow threw “\(error)”, and sent \(names).")
    }

    /// Promises that no text of the flow's error and no line that it has logged with ``FlowNote/log(_:)`` has `secret` in it.
    public func keepsSecret(_ secret: String) {
        let promise = "no error and no log shows the secret"
        if let error, ErrorText.everything(about: error).contains(secret) {
            return breaks(promise, "It is in the \(type(of: error)) of the flow.")
        }
        let isLogged = notes.contains { note in
            if case .log(let line) = note.note { line.contains(secret) } else { false }
        }
        if isLogged { breaks(promise, "It is in the log.") }
    }

    /// Promises that no request begins after the flow has noted ``FlowNote/mark(_:)`` with this text, such as “signed out”.
    public func sendsNothing(after mark: String, matching matcher: RequestMatcher = .any) {
        let index = notes.firstIndex { if case .mark(mark) = $0.note { true } else { false } }
        guard let index else { return }
        // Virtual time stands still while the flow does not wait: the order counts, and not the time.
        let late = exchanges.first { $0.earlierNotes > index && matcher.matches($0.request) }
        guard let late else { return }
        breaks(
            "nothing is sent after “\(mark)”",
            "\(late.name) was sent \((late.start - notes[index].time).plain()) seconds later.")
    }

    /// Promises that each user sees no response but those to requests of their own. The flow notes what a user sees with
    /// ``FlowNote/shown(_:to:)``.
    ///
    /// - Parameter user: Who sends a request, by its token for example. `nil` for a request of no user.
    public func servesEachUserTheirOwn(identifiedBy user: (TransportRequest) -> String?) {
        for note in notes {
            guard case .shown(let data, let viewer) = note.note, !data.isEmpty else { continue }
            let owners = exchanges.filter { $0.reply?.data == data }.map { user($0.request) }
            guard !owners.isEmpty, !owners.contains(viewer) else { continue }
            let owner = owners.compactMap { $0 }.first ?? "nobody"
            return breaks(
                "each user sees responses of their own", "\(viewer) saw a response to \(owner).")
        }
    }

    /// Promises that what the flow noted with ``FlowNote/progress(_:of:)`` never goes back while its process runs.
    public func progressIsMonotone() {
        var last: [String: Double] = [:]
        for note in notes where killCount == 0 {
            guard case .progress(let value, let name) = note.note else { continue }
            if let earlier = last[name], value < earlier {
                return breaks(
                    "progress never goes back",
                    "That of \(name) went from \(earlier.plain()) to \(value.plain()).")
            }
            last[name] = value
        }
    }

    /// Promises that the flow noted ``FlowNote/completion(_:)`` with this name once, whatever happened.
    public func completesOnce(_ name: String) {
        guard killCount == 0 else { return }
        let count = notes.count { if case .completion(name) = $0.note { true } else { false } }
        guard count != 1 else { return }
        breaks("\(name) completes once", "It completed \(count.times).")
    }

    /// Promises that nothing is left when the flow is over: no request under way, no task that sleeps, no object of
    /// ``ExploredNetwork/expectRelease(of:_:)``, no file in ``ExploredNetwork/temporaryFolder``, no open file of the run's
    /// folders. A killed process may leave temporary files.
    public func leavesNothingBehind() {
        let left = killCount == 0 ? leftovers : leftovers.filter { !$0.hasPrefix("temporary file") }
        guard !left.isEmpty else { return }
        breaks("nothing is left behind", left.joined(separator: ", ") + ".")
    }
}

extension ExploredExchange {
    /// Whether an error's text has the request's URL or path. A slash alone is in many a text.
    fileprivate func isNamed(in text: String) -> Bool {
        guard let url = request.urlRequest.url else { return false }
        return text.contains(url.absoluteString)
            || text.contains(url.path.count > 1 ? url.path : "\(method) /")
    }

    /// Whether the flow was told that the server had acted.
    fileprivate var hasSucceeded: Bool {
        guard let reply, let status = reply.statusCode, reply.cut == nil else { return false }
        return (200..<400).contains(status)
    }
}

/// What can be read about an error.
enum ErrorText {
    /// What each way to print an error shows, and those of the errors inside.
    static func everything(about error: any Error) -> String {
        var texts: [String] = []
        var next: (any Error)? = error
        // Errors inside errors are few. One that holds itself must not keep us here.
        for _ in 0..<8 {
            guard let current = next else { break }
            var dumped = ""
            dump(current, to: &dumped)
            let bridged = current as NSError
            texts += [
                "\(current)", String(reflecting: current), current.localizedDescription, dumped,
                bridged.domain, "\(bridged.userInfo)",
            ]
            next =
                (current as? MoyaError)?.underlyingError
                ?? bridged.userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return texts.joined(separator: "\n")
    }
}

extension Int {
    var times: String { self == 1 ? "once" : self == 2 ? "twice" : "\(self) times" }
}

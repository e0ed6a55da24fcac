import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredRun {
    /// Checks that the server acts on at most `limit` requests with this method and path. A request
    /// that the network delivers twice counts once. A request that the server itself answers with a
    /// status of 400 to 499 does not count.
    ///
    /// - Parameters:
    ///   - path: Path template: `/users/{id}`.
    ///   - unlessIdempotent: Whether requests with the same `Idempotency-Key` count once.
    public func neverSends(
        _ method: HTTPMethod, _ path: String, moreThan limit: Int, unlessIdempotent: Bool = false
    ) {
        let matcher = RequestMatcher.method(method) && .path(path)
        let promise = "\(method) \(path) reaches the server \(limit.times) at most"
        checks(promise, when: exchanges.contains { matcher.matches($0.request) })
        let acted = exchanges.filter { $0.hasExecuted && matcher.matches($0.request) }
        var keys: Set<String> = []
        let count = acted.count { exchange in
            let key = exchange.request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key")
            guard unlessIdempotent, let key else { return true }
            return keys.insert(key).inserted
        }
        guard count > limit else { return }
        breaks(promise, "The server acted on it \(count.times).")
    }

    /// Checks that no unsafe request is sent again after the server acted on it without the flow
    /// learning so. Unsafe requests have a method that is not idempotent, such as POST or PATCH,
    /// and no `Idempotency-Key`. A server that itself answers with a status of 400 to 499 has not
    /// acted. Requests that differ only in header fields or random identifiers, such as a UUID in
    /// their bodies, count as repeats.
    ///
    /// - Parameter matcher: Selects the requests to check. Exclude POST requests that are safe to
    ///   repeat.
    public func neverRepeatsUnsafely(matching matcher: RequestMatcher = .any) {
        let promise = "no unsafe request is repeated"
        checks(
            promise,
            when: exchanges.contains { $0.isUnsafeToRepeat && matcher.matches($0.request) })
        for (index, first) in exchanges.enumerated()
        where first.isUnsafeToRepeat && first.hasExecuted && !first.hasSucceeded
            && matcher.matches(first.request)
        {
            let signature = first.repeatSignature
            let isRepeated = exchanges[(index + 1)...].contains {
                $0.actionCount > 0 && $0.repeatSignature == signature
            }
            guard isRepeated else { continue }
            return breaks(
                promise,
                "\(first.name) was sent again after the server had acted on it: "
                    + "the flow got \(first.reply?.summary ?? "nothing").")
        }
    }

    /// Checks that the flow ends within this virtual time.
    public func ends(within limit: Duration) {
        let promise = "the flow ends within \(limit)"
        if case .unfinished(let reason) = outcome { return breaks(promise, reason) }
        guard let duration, .seconds(duration) > limit else { return }
        breaks(promise, "It took \(duration.plain(1)) seconds.")
    }

    /// Checks that an error of the flow is a `MoyaError` that names the request that failed: its
    /// text, an underlying error or the URL of its response contains the path. A path of `/` counts
    /// with its method (`GET /`) or in the URL. If several requests failed, the error has to
    /// name the last of them, or a failed request that overlapped it. Runs with a cancelled flow
    /// are not checked.
    public func errorsAreTyped() { errorsAreTyped(as: MoyaError.self) }

    /// Checks that an error of the flow is of this type and names the request that failed, as
    /// ``errorsAreTyped()`` does.
    public func errorsAreTyped<Failure: Error>(as type: Failure.Type) {
        let (typePromise, namePromise) = ("errors are of type \(type)", "errors name the request")
        for promise in [typePromise, namePromise] {
            checks(promise, when: error != nil && !isCancelled)
        }
        guard let error, !isCancelled else { return }
        guard error is Failure else {
            return breaks(typePromise, "The flow threw \(Swift.type(of: error)).")
        }
        let url = (error as? MoyaError)?.response?.request?.url?.absoluteString ?? ""
        let text = ErrorText.everything(about: error) + " " + url
        let failed = exchangesThatFailedLast
        guard !failed.isEmpty, !failed.contains(where: { $0.isNamed(in: text) }) else { return }
        let names = failed.map(\.name).joined(separator: ", ")
        breaks(namePromise, "The flow threw “\(error)” after \(names).")
    }

    /// The failed exchange that ended last, and the failed exchanges that overlap it. Every
    /// exchange if no exchange failed.
    private var exchangesThatFailedLast: [ExploredExchange] {
        let failed = exchanges.filter(\.hasFailed)
        let ends = failed.map { $0.end ?? .infinity }
        guard let lastEnd = ends.max(), let last = ends.lastIndex(of: lastEnd) else {
            return exchanges
        }
        return zip(failed, ends).filter { $0.1 > failed[last].start }.map(\.0)
    }

    /// Checks that `secret` is neither in the text of the flow's error nor in a line noted as
    /// ``FlowNote/log(_:)``: raw, percent-encoded or in Base64.
    public func keepsSecret(_ secret: String) {
        let promise = "no error and no log shows the secret"
        let lines = notes.compactMap { note in
            if case .log(let line) = note.note { line } else { nil }
        }
        checks(promise, when: error != nil || !lines.isEmpty)
        let search = SecretSearch(secret)
        if let error, search.finds(in: ErrorText.everything(about: error)) {
            return breaks(promise, "It is in the \(type(of: error)) of the flow.")
        }
        if lines.contains(where: search.finds) { breaks(promise, "It is in the log.") }
    }

    /// Checks that no request begins after the flow has noted ``FlowNote/mark(_:)`` with this text,
    /// such as “signed out”. A process that starts again after a kill may send requests until it
    /// notes the mark itself.
    public func sendsNothing(after mark: String, matching matcher: RequestMatcher = .any) {
        let promise = "nothing is sent after “\(mark)”"
        let indices = notes.indices.filter { index in
            if case .mark(mark) = notes[index].note { true } else { false }
        }
        checks(promise, when: !indices.isEmpty)
        for index in indices {
            // Compares positions and not times: virtual time does not pass while the flow runs.
            let late = exchanges.first {
                $0.life == noteLives[index] && $0.earlierNotes > index
                    && matcher.matches($0.request)
            }
            guard let late else { continue }
            let delay = (late.start - notes[index].time).plain()
            return breaks(promise, "\(late.name) was sent \(delay) seconds later.")
        }
    }

    /// Checks that each user sees only responses to their own requests. The flow notes a response
    /// that a user sees as ``FlowNote/shown(_:to:)``.
    ///
    /// - Parameter user: Returns the user who sends a request, identified by its token for example.
    ///   Returns `nil` for a request without a user.
    public func servesEachUserTheirOwn(identifiedBy user: (TransportRequest) -> String?) {
        let promise = "each user sees responses of their own"
        let shown = notes.compactMap { note in
            if case .shown(let data, let viewer) = note.note { (data, viewer) } else { nil }
        }.filter { !$0.0.isEmpty }
        checks(promise, when: !shown.isEmpty)
        for (data, viewer) in shown {
            let owners = exchanges.filter { $0.reply?.data == data }.map { user($0.request) }
            guard !owners.isEmpty, !owners.contains(viewer) else { continue }
            let owner = owners.compactMap { $0 }.first ?? "nobody"
            return breaks(promise, "\(viewer) saw a response to \(owner).")
        }
    }

    /// Checks that progress noted as ``FlowNote/progress(_:of:)`` never decreases. Runs with a
    /// killed process are not checked.
    public func progressIsMonotone() {
        let promise = "progress never goes back"
        let values = notes.compactMap { note in
            if case .progress(let value, let name) = note.note { (value, name) } else { nil }
        }
        checks(promise, when: killCount == 0 && !values.isEmpty)
        var last: [String: Double] = [:]
        for (value, name) in values where killCount == 0 {
            if let earlier = last[name], value < earlier {
                return breaks(
                    promise,
                    "That of \(name) went from \(earlier.plain()) to \(value.plain()).")
            }
            last[name] = value
        }
    }

    /// Checks that the flow noted ``FlowNote/completion(_:)`` with this name exactly once. Runs
    /// with a killed process are not checked.
    public func completesOnce(_ name: String) {
        guard killCount == 0 else { return }
        let count = notes.count { if case .completion(name) = $0.note { true } else { false } }
        guard count != 1 else { return }
        breaks("\(name) completes once", "It completed \(count.times).")
    }

    /// Checks that the flow leaves no request in flight, no sleeping task, no object of
    /// ``ExploredNetwork/expectRelease(of:_:)``, no file in ``ExploredNetwork/temporaryFolder`` and
    /// no open file in the run's folders. A killed process may leave temporary files.
    public func leavesNothingBehind() {
        let left = killCount == 0 ? leftovers : leftovers.filter { !$0.hasPrefix("temporary file") }
        guard !left.isEmpty else { return }
        breaks("nothing is left behind", left.joined(separator: ", ") + ".")
    }
}

extension ExploredExchange {
    /// Whether an error's text contains the request's URL or path. The path `/` alone would match
    /// too many texts, so it needs the method.
    fileprivate func isNamed(in text: String) -> Bool {
        guard let url = request.urlRequest.url else { return false }
        return text.contains(url.absoluteString)
            || text.contains(url.path.count > 1 ? url.path : "\(method) /")
    }

    /// Whether the flow got a failure, or another reply than the server's.
    fileprivate var hasFailed: Bool {
        guard let reply else { return false }
        return !hasSucceeded || answer?.signature != reply.signature
    }

    /// Whether the flow received a complete response with a status below 400.
    fileprivate var hasSucceeded: Bool {
        guard let reply, let status = reply.statusCode, reply.cut == nil else { return false }
        return (200..<400).contains(status)
    }
}

/// Text of an error.
enum ErrorText {
    /// Returns every textual form of the error and of its underlying errors.
    static func everything(about error: any Error) -> String {
        var texts: [String] = []
        var next: (any Error)? = error
        // Limits the depth, because an error may contain itself.
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

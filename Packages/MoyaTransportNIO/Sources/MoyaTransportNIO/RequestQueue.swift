#if AsyncHTTPClient
    import NIOConcurrencyHelpers

    /// Queue in front of the client: admits a number of requests for each host, and the others in
    /// the order of their arrival.
    ///
    /// The client has a queue of its own, which it searches for each request that is cancelled.
    /// Here, adding, admitting and removing a request take constant time on average.
    final class RequestQueue: Sendable {
        /// Called when a request is admitted.
        typealias Admit = @Sendable () -> Void

        /// Position of a waiting request.
        struct Ticket: Sendable {
            fileprivate let host: String
            fileprivate let number: Int
        }

        private struct Host {
            var running = 0
            /// By number. Numbers without an entry are those of removed requests.
            var waiting: [Int: Admit] = [:]
            /// Number of the first request that may be waiting, and of the next one to arrive.
            var first: Int, next: Int

            mutating func popFirst() -> Admit? {
                while first < next {
                    defer { first += 1 }
                    if let admit = waiting.removeValue(forKey: first) { return admit }
                }
                return nil
            }
        }

        private struct State {
            var hosts: [String: Host] = [:]
            /// No ticket has this number or a larger one. A host that is forgotten continues from
            /// here, so that an old ticket never names a later request.
            var firstUnused = 0
        }

        private let limit: Int
        private let state = NIOLockedValueBox(State())

        /// - Parameter limit: The largest number of admitted requests for a host.
        init(limit: Int) { self.limit = limit }

        /// Admits a request, and then calls `admit`: at once, or when others have left. Returns its
        /// position if it has to wait.
        func enter(_ host: String, _ admit: @escaping Admit) -> Ticket? {
            let ticket = state.withLockedValue { state -> Ticket? in
                let new = Host(first: state.firstUnused, next: state.firstUnused)
                guard state.hosts[host, default: new].running >= limit else {
                    state.hosts[host, default: new].running += 1
                    return nil
                }
                let number = state.hosts[host, default: new].next
                state.hosts[host, default: new].next += 1
                state.hosts[host, default: new].waiting[number] = admit
                state.firstUnused = max(state.firstUnused, number + 1)
                return Ticket(host: host, number: number)
            }
            if ticket == nil { admit() }
            return ticket
        }

        /// Removes a waiting request. Returns `false` if it has been admitted.
        func remove(_ ticket: Ticket) -> Bool {
            state.withLockedValue {
                $0.hosts[ticket.host]?.waiting.removeValue(forKey: ticket.number) != nil
            }
        }

        /// Ends an admitted request, and admits the next one.
        func leave(_ host: String) {
            let next = state.withLockedValue { state -> Admit? in
                if let next = state.hosts[host]?.popFirst() { return next }
                state.hosts[host]?.running -= 1
                if state.hosts[host]?.running == 0 { state.hosts[host] = nil }
                return nil
            }
            next?()
        }
    }
#endif

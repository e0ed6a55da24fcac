#if AsyncHTTPClient
    import NIOConcurrencyHelpers

    /// Queue in front of the client: admits a number of requests for each host, and the others in
    /// the order of their arrival.
    ///
    /// The client has a queue of its own, which it searches for each request that is cancelled.
    /// Here, adding, admitting and removing a request take constant time, however many wait.
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
            var first = 0, next = 0

            mutating func popFirst() -> Admit? {
                while first < next {
                    defer { first += 1 }
                    if let admit = waiting.removeValue(forKey: first) { return admit }
                }
                return nil
            }
        }

        private let limit: Int
        private let hosts = NIOLockedValueBox<[String: Host]>([:])

        /// - Parameter limit: The largest number of admitted requests for a host.
        init(limit: Int) { self.limit = limit }

        /// Admits a request, and then calls `admit`: at once, or when others have left. Returns its
        /// position if it has to wait.
        func enter(_ host: String, _ admit: @escaping Admit) -> Ticket? {
            let ticket = hosts.withLockedValue { hosts -> Ticket? in
                guard hosts[host, default: Host()].running >= limit else {
                    hosts[host, default: Host()].running += 1
                    return nil
                }
                let number = hosts[host, default: Host()].next
                hosts[host, default: Host()].next += 1
                hosts[host, default: Host()].waiting[number] = admit
                return Ticket(host: host, number: number)
            }
            if ticket == nil { admit() }
            return ticket
        }

        /// Removes a waiting request. Returns `false` if it has been admitted.
        func remove(_ ticket: Ticket) -> Bool {
            hosts.withLockedValue { hosts in
                hosts[ticket.host]?.waiting.removeValue(forKey: ticket.number) != nil
            }
        }

        /// Ends an admitted request, and admits the next one.
        func leave(_ host: String) {
            let next = hosts.withLockedValue { hosts -> Admit? in
                if let next = hosts[host]?.popFirst() { return next }
                hosts[host]?.running -= 1
                if hosts[host]?.running == 0 { hosts[host] = nil }
                return nil
            }
            next?()
        }
    }
#endif

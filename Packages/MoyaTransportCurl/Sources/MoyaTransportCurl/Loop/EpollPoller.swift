#if os(Linux)
    import CCurl
    import Foundation

    /// ``Poller`` on epoll(7).
    ///
    /// A socket that libcurl gives back stays registered: most often the next request takes it up again, and
    /// the two system calls are saved. Should it be ready in between, it is taken out for good.
    final class EpollPoller: Poller {
        private struct Entry {
            var events: UInt32 = 0
            var isResting = false
        }

        private let epoll: Int32
        let waker: Waker
        private var entries: [Int32: Entry] = [:]
        private var ready = [epoll_event](repeating: epoll_event(), count: 256)

        init() throws {
            epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard epoll >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
            let event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard event >= 0 else {
                let code = errno
                _ = close(epoll)
                throw POSIXError(.init(rawValue: code) ?? .EMFILE)
            }
            waker = Waker(descriptor: event)
            // Reported once for each time it is written to, and so never read.
            control(EPOLL_CTL_ADD, event, EPOLLIN.rawValue | EPOLLET.rawValue)
        }

        func watch(_ descriptor: Int32, reading: Bool, writing: Bool) {
            let events = (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
            guard let entry = entries[descriptor] else {
                entries[descriptor] = Entry(events: events)
                control(EPOLL_CTL_ADD, descriptor, events)
                return
            }
            if entry.events != events, !control(EPOLL_CTL_MOD, descriptor, events) {
                // Closed behind our back: this is another one of the same number.
                control(EPOLL_CTL_ADD, descriptor, events)
            }
            entries[descriptor] = Entry(events: events)
        }

        func rest(_ descriptor: Int32) {
            entries[descriptor]?.isResting = true
        }

        func forget(_ descriptor: Int32) {
            guard entries.removeValue(forKey: descriptor) != nil else { return }
            control(EPOLL_CTL_DEL, descriptor, 0)
        }

        func wait(milliseconds: Int32, report: (Int32, Int32) -> Void) {
            let count = epoll_wait(epoll, &ready, Int32(ready.count), milliseconds)
            for index in 0..<max(0, Int(count)) {
                let descriptor = ready[index].data.fd
                let events = ready[index].events
                // The waker has none, and closed ones are gone: an earlier report of this round may have seen to that.
                guard let entry = entries[descriptor] else { continue }
                if entry.isResting {
                    forget(descriptor)
                } else {
                    report(descriptor, Self.bits(events))
                }
            }
        }

        private static func bits(_ events: UInt32) -> Int32 {
            var bits: Int32 = 0
            if events & EPOLLIN.rawValue != 0 { bits |= CURL_CSELECT_IN }
            if events & EPOLLOUT.rawValue != 0 { bits |= CURL_CSELECT_OUT }
            if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { bits |= CURL_CSELECT_ERR }
            return bits
        }

        func tearDown() {
            _ = close(waker.descriptor)
            _ = close(epoll)
        }

        /// Refused only for a descriptor that is closed already.
        @discardableResult
        private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
            var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
            return epoll_ctl(epoll, operation, descriptor, &event) == 0
        }
    }
#endif

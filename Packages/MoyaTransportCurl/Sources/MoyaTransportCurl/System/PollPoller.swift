#if CURL
import CMoyaCurl
import Foundation

/// A ``Poller`` that uses poll(2), for systems without epoll.
final class PollPoller: Poller {
    private var entries: [Int32: Int16] = [:]
    private let readEnd: Int32
    let waker: Waker

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        waker = Waker(descriptor: ends[1])
    }

    func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool {
        entries[descriptor] = Int16(reading ? POLLIN : 0) | Int16(writing ? POLLOUT : 0)
        return true
    }

    func rest(_ descriptor: Int32) { entries[descriptor] = nil }
    func forget(_ descriptor: Int32) { entries[descriptor] = nil }

    @discardableResult
    func wait(milliseconds: Int32, report: (Int32, Int32) -> Void) -> Bool {
        var polled = entries.map { pollfd(fd: $0.key, events: $0.value, revents: 0) }
        polled.append(pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0))
        let count = poll(&polled, nfds_t(polled.count), milliseconds)
        guard count > 0 else { return count < 0 }
        for entry in polled where entry.revents != 0 {
            if entry.fd == readEnd {
                var bytes = [UInt8](repeating: 0, count: 512)
                while read(readEnd, &bytes, bytes.count) > 0 {}
            } else {
                report(entry.fd, Self.bits(entry.revents))
            }
        }
        return false
    }

    private static func bits(_ events: Int16) -> Int32 {
        var bits: Int32 = 0
        if events & Int16(POLLIN) != 0 { bits |= CURL_CSELECT_IN }
        if events & Int16(POLLOUT) != 0 { bits |= CURL_CSELECT_OUT }
        if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { bits |= CURL_CSELECT_ERR }
        return bits
    }

    func tearDown() {
        for end in [readEnd, waker.descriptor] { close(end) }
    }
}
#endif

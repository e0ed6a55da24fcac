#if CURL
import CMoyaCurl
import Foundation

#if os(Linux)
/// Waits for events on sockets. Other threads can wake it.
typealias Poller = EpollPoller
#else
/// Waits for events on sockets. Other threads can wake it.
typealias Poller = PollPoller
#endif

/// The number of sockets that a wait reports at most.
let pollerBatch = 256

/// Wakes a ``Poller`` by writing to a descriptor: ends the current wait, or the next one. May be
/// used from any thread.
struct Waker: Sendable {
    let descriptor: Int32

    func wake() {
        // An eventfd takes eight bytes, and a pipe accepts them too. If the write fails because the
        // pipe is full, the poller is awake anyway.
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }
}

/// Returns events as libcurl's `CURL_CSELECT_…` bits.
private func bits(reading: Bool, writing: Bool, broken: Bool) -> Int32 {
    (reading ? CURL_CSELECT_IN : 0) | (writing ? CURL_CSELECT_OUT : 0)
        | (broken ? CURL_CSELECT_ERR : 0)
}

#if os(Linux)
/// Waits for events with epoll(7).
///
/// Between two requests on a connection, libcurl stops watching its socket and then watches it
/// again. So a socket that libcurl stops watching stays registered, which saves two system calls.
/// If it becomes ready in between, it is removed.
final class EpollPoller {
    private struct Entry {
        var events: UInt32 = 0
        var isResting = false
    }

    private let epoll: Int32
    let waker: Waker
    // Both are safe, as in `CurlDriver`: no access spans a report of an event.

    /// Indexed by descriptor. The system gives out the lowest free numbers, so the array stays
    /// short.
    @exclusivity(unchecked) private var entries: [Entry?] = []
    @exclusivity(unchecked) private var ready = [epoll_event](
        repeating: epoll_event(), count: pollerBatch)

    /// - Parameter waker: Closed by the poller, also if this throws.
    init(waker: Waker) throws {
        self.waker = waker
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        // Edge-triggered: reported once for each write, so it is never read. If registering it
        // fails, no thread could end a wait.
        guard epoll >= 0,
            control(EPOLL_CTL_ADD, waker.descriptor, moya_epoll_in() | moya_epoll_edge())
        else {
            let code = errno
            tearDown()
            throw POSIXError(.init(rawValue: code) ?? .EMFILE)
        }
    }

    convenience init() throws { try self.init(waker: .event()) }

    /// Watches `descriptor` for reading, writing or both. Returns `false` if the system refuses.
    func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool {
        let events = (reading ? moya_epoll_in() : 0) | (writing ? moya_epoll_out() : 0)
        let known = entry(of: descriptor)
        let missing = Int(descriptor) + 1 - entries.count
        if missing > 0 { entries += [Entry?](repeating: nil, count: missing) }
        entries[Int(descriptor)] = Entry(events: events)
        if known?.events == events { return true }
        if known != nil, control(EPOLL_CTL_MOD, descriptor, events) { return true }
        // Either a new descriptor, or one closed without `forget` whose number is in use again.
        let isWatched = control(EPOLL_CTL_ADD, descriptor, events)
        if !isWatched { entries[Int(descriptor)] = nil }
        return isWatched
    }

    /// Stops watching `descriptor` for now. libcurl announces before it closes it.
    func rest(_ descriptor: Int32) {
        if entry(of: descriptor) != nil { entries[Int(descriptor)]?.isResting = true }
    }

    /// Removes `descriptor`, which is about to be closed, or may be closed without notice.
    func forget(_ descriptor: Int32) {
        guard entry(of: descriptor) != nil else { return }
        entries[Int(descriptor)] = nil
        control(EPOLL_CTL_DEL, descriptor, 0)
    }

    private func entry(of descriptor: Int32) -> Entry? {
        entries.indices.contains(Int(descriptor)) ? entries[Int(descriptor)] : nil
    }

    /// Waits for at most `milliseconds`, without a limit if negative. Calls `report` with each
    /// ready socket and its events as `CURL_CSELECT_…` bits. Returns whether it may have left ready
    /// sockets out.
    @discardableResult
    func wait(milliseconds: Int32, report: (Int32, Int32) -> Void) -> Bool {
        let count = epoll_wait(epoll, &ready, Int32(ready.count), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let (descriptor, events) = (ready[index].data.fd, ready[index].events)
            // The waker has no entry. Descriptors closed during an earlier report of this round
            // have none either.
            guard let entry = entry(of: descriptor) else { continue }
            if entry.isResting {
                forget(descriptor)
            } else {
                let bits = bits(
                    reading: events & moya_epoll_in() != 0, writing: events & moya_epoll_out() != 0,
                    broken: events & moya_epoll_broken() != 0)
                report(descriptor, bits)
            }
        }
        // A negative count means that a signal ended the wait, or that the process was stopped and
        // continued.
        return count < 0 || count == ready.count
    }

    /// Closes the poller's descriptors.
    func tearDown() {
        _ = close(waker.descriptor)
        if epoll >= 0 { _ = close(epoll) }
    }

    /// Fails if the descriptor is closed, or the system has no memory to register it.
    @discardableResult
    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }
}

extension Waker {
    /// Opens an eventfd.
    static func event() throws -> Waker {
        let event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard event >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        return Waker(descriptor: event)
    }
}
#endif

/// Waits for events with poll(2), on systems without epoll. Its functions are those of
/// `EpollPoller`.
final class PollPoller {
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
                let events = Int32(entry.revents)
                let bits = bits(
                    reading: events & POLLIN != 0, writing: events & POLLOUT != 0,
                    broken: events & (POLLERR | POLLHUP | POLLNVAL) != 0)
                report(entry.fd, bits)
            }
        }
        return false
    }

    func tearDown() { for end in [readEnd, waker.descriptor] { close(end) } }
}
#endif

#if CURL
#if CURL && os(Linux)
import CMoyaCurl
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
    /// By descriptor: the system gives out the lowest that is free.
    @exclusivity(unchecked) private var entries: [Entry?] = []
    @exclusivity(unchecked) private var ready = [epoll_event](
        repeating: epoll_event(), count: 256)

    /// - Parameter makeEvent: Opens what wakes it. Tests open what cannot.
    init(
        makeEvent: () -> Int32 = { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    ) throws {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        let event = makeEvent()
        waker = Waker(descriptor: event)
        // Reported once for each time it is written to, and so never read. Where it is refused, no thread could end
        // a wait.
        guard event >= 0, control(EPOLL_CTL_ADD, event, moya_epoll_in() | moya_epoll_edge())
        else {
            let code = errno
            if event >= 0 { _ = close(event) }
            _ = close(epoll)
            throw POSIXError(.init(rawValue: code) ?? .EMFILE)
        }
    }

    func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool {
        let events = (reading ? moya_epoll_in() : 0) | (writing ? moya_epoll_out() : 0)
        let known = entry(of: descriptor)
        let missing = Int(descriptor) + 1 - entries.count
        if missing > 0 { entries += [Entry?](repeating: nil, count: missing) }
        entries[Int(descriptor)] = Entry(events: events)
        if known?.events == events { return true }
        if known != nil, control(EPOLL_CTL_MOD, descriptor, events) { return true }
        // New, or closed behind our back: then this is another one of the same number.
        let isWatched = control(EPOLL_CTL_ADD, descriptor, events)
        if !isWatched { entries[Int(descriptor)] = nil }
        return isWatched
    }

    func rest(_ descriptor: Int32) {
        if entry(of: descriptor) != nil { entries[Int(descriptor)]?.isResting = true }
    }

    func forget(_ descriptor: Int32) {
        guard entry(of: descriptor) != nil else { return }
        entries[Int(descriptor)] = nil
        control(EPOLL_CTL_DEL, descriptor, 0)
    }

    private func entry(of descriptor: Int32) -> Entry? {
        entries.indices.contains(Int(descriptor)) ? entries[Int(descriptor)] : nil
    }

    func wait(milliseconds: Int32, report: (Int32, Int32) -> Void) {
        let count = epoll_wait(epoll, &ready, Int32(ready.count), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let descriptor = ready[index].data.fd
            let events = ready[index].events
            // The waker has none, and closed ones are gone: an earlier report of this round may have seen to that.
            guard let entry = entry(of: descriptor) else { continue }
            if entry.isResting {
                forget(descriptor)
            } else {
                report(descriptor, Self.bits(events))
            }
        }
    }

    private static func bits(_ events: UInt32) -> Int32 {
        var bits: Int32 = 0
        if events & moya_epoll_in() != 0 { bits |= CURL_CSELECT_IN }
        if events & moya_epoll_out() != 0 { bits |= CURL_CSELECT_OUT }
        if events & moya_epoll_broken() != 0 { bits |= CURL_CSELECT_ERR }
        return bits
    }

    func tearDown() {
        _ = close(waker.descriptor)
        _ = close(epoll)
    }

    /// Refused for a descriptor that is closed already, and where the system has no room for one more.
    @discardableResult
    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }
}
#endif
#endif

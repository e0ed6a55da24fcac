#if CURL
import CMoyaCurl
import Foundation

/// Waits for events on sockets. Other threads can wake it.
///
/// Between two requests on a connection, libcurl stops watching its socket and then watches it
/// again. A poller may keep the socket registered, as long as it does not report it; `forget` is
/// called before the socket is closed.
protocol Poller: AnyObject {
    /// Watches `descriptor` for reading, writing or both. Returns `false` if the system refuses.
    func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool

    /// Stops watching `descriptor` for now. libcurl announces before it closes it.
    func rest(_ descriptor: Int32)

    /// Removes `descriptor`, which is about to be closed, or may be closed without notice.
    func forget(_ descriptor: Int32)

    /// Waits for at most `milliseconds`, without a limit if negative. Calls `report` with each
    /// ready socket and its events as `CURL_CSELECT_…` bits. Returns whether it may have left ready
    /// sockets out.
    @discardableResult
    func wait(milliseconds: Int32, report: (Int32, Int32) -> Void) -> Bool

    /// Ends the current `wait`, or the next one. May be used from any thread.
    var waker: Waker { get }

    /// Closes the poller's descriptors.
    func tearDown()
}

/// The number of sockets that a wait reports at most.
let pollerBatch = 256

/// Wakes a ``Poller`` by writing to a descriptor.
struct Waker: Sendable {
    let descriptor: Int32

    func wake() {
        // An eventfd takes eight bytes, and a pipe accepts them too. If the write fails because the
        // pipe is full, the poller is awake anyway.
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }
}
#endif

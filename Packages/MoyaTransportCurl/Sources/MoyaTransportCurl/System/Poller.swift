#if CURL
import CMoyaCurl
import Foundation

/// Waits for sockets, and can be woken from another thread.
///
/// libcurl takes sockets back and gives them again between two requests on one connection. A poller may
/// leave a socket registered until it is closed, as long as it stops reporting it: `forget` comes in time.
protocol Poller: AnyObject {
    /// Reports `descriptor` when it can be read or written, as asked. `false` where the system refuses that.
    func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool

    /// libcurl has no interest in `descriptor` for now, and will say so before it closes it.
    func rest(_ descriptor: Int32)

    /// `descriptor` is about to be closed, or may be without a word.
    func forget(_ descriptor: Int32)

    /// Waits for at most `milliseconds`, or for ever where that is negative. Calls `report` with each
    /// socket that is ready, and what it is ready for as `CURL_CSELECT_…` bits.
    func wait(milliseconds: Int32, report: (Int32, Int32) -> Void)

    /// Ends a `wait`, now or the next. May be called from any thread.
    var waker: Waker { get }

    /// Closes what the poller itself has open.
    func tearDown()
}

/// Wakes a ``Poller`` by a byte in a descriptor.
struct Waker: Sendable {
    let descriptor: Int32

    func wake() {
        // Eight bytes are what an eventfd takes, and a pipe takes them as well. A full one is awake.
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }
}
#endif

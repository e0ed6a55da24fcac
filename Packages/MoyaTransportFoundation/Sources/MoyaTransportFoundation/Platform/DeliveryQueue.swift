import Foundation

/// The queue a session reports on, with room for so many reports. With no room the session waits.
///
/// URLSession on Linux reads on however slowly its delegate takes what it has read, and keeps it all in memory.
/// A report holds 16 KiB at most. Nothing that runs on this queue may wait for the session.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    // Safe to share: a constant, of a type made for that.
    private let room: DispatchSemaphore

    init(limit: Int) {
        room = DispatchSemaphore(value: limit)
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ report: @escaping @Sendable () -> Void) {
        room.wait()
        super.addOperation { [room] in
            report()
            room.signal()
        }
    }
}

import Foundation

/// A thread that runs handlers of a server.
enum ServerThread {
    /// Runs `body` on a new thread with the stack of a program's main thread, because handlers may
    /// decode deeply nested JSON. The system provides memory for the used part only, so thousands
    /// of threads are possible.
    static func detach(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 8 << 20
        thread.start()
    }
}

#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    @_spi(MoyaInternals) import MoyaCore

    /// Holds a server back whose response is read more slowly than it comes.
    ///
    /// URLSession has no way to do that: suspending a task makes its exchange begin anew here. libcurl has one,
    /// which may be used only where libcurl runs. There the session reports what has come, and there it starts
    /// tasks: when a task that runs already is resumed, too.
    final class ReceiveValve: Sendable {
        /// Where tasks are resumed. That waits for libcurl, which may be waiting for whoever opens the valve.
        private static let queue = DispatchQueue(label: "MoyaTransportFoundation.ReceiveValve")

        private let handle: CurlHandle
        private let isShut = Locked(false)

        init(_ handle: CurlHandle) {
            self.handle = handle
        }

        /// Has nothing more come. For where the session reports.
        func shut() {
            isShut.withLock { $0 = true }
            handle.pauseReceiving(true)
        }

        /// Has ``settle()`` called, where libcurl runs, by resuming `task`.
        func open(_ task: URLSessionTask) {
            isShut.withLock { $0 = false }
            Self.queue.async { task.resume() }
        }

        /// Lets come what may come. For where the session starts tasks.
        func settle() {
            // It may have been shut again since, by what libcurl had left to report.
            if !isShut.withLock(\.self) { handle.pauseReceiving(false) }
        }
    }
#endif

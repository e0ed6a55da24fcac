import Foundation

/// A transport that owns connections or threads, and releases them when it is shut down.
///
/// A transport is also shut down when it is deallocated. A server program shuts it down explicitly,
/// after the services that send requests over it, so that these requests end first:
///
/// ```swift
/// await transport.shutdown(draining: 10)
/// ```
///
/// A layer does not shut the transport that it wraps down: keep that transport.
public protocol ClosableTransport: Transport {
    /// Cancels every request in progress, and closes every connection. Later requests fail with
    /// `URLError(.cancelled)`, and later calls have no effect.
    func shutdown() async

    /// Rejects new requests with `URLError(.cancelled)`, waits for the requests in progress, and
    /// then shuts down like ``shutdown()``.
    ///
    /// The default implementation does not wait.
    ///
    /// - Parameter limit: How long to wait for requests in progress, in seconds. With 0 or less,
    ///   and in a cancelled task, they are cancelled at once.
    func shutdown(draining limit: TimeInterval) async
}

extension ClosableTransport {
    public func shutdown(draining limit: TimeInterval) async { await shutdown() }
}

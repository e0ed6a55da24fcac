import Foundation

/// A queue that runs each of a session's reports where it comes from, and so keeps none.
///
/// URLSession on Linux would read on however slowly its delegate takes what it has read, and keep it all in
/// memory. So it waits. Nothing that runs here may wait for the session in turn. It also saves two changes of
/// thread for each report.
final class DirectQueue: OperationQueue, @unchecked Sendable {
    // Safe to share: it adds no state.
    override func addOperation(_ report: @escaping @Sendable () -> Void) {
        report()
    }
}

import MoyaCore

/// Cancels a request once a number of bytes has been transferred, even if that happens before
/// ``arm(_:)``.
final class Trigger: Sendable {
    private struct State {
        var bytes: Int64 = 0
        var cancel: (@Sendable () -> Void)?
    }

    /// Number of bytes at which the request is cancelled. `nil` never cancels it.
    private let limit: Int64?
    private let state = Locked(State())

    init(at limit: Int64?) { self.limit = limit }

    /// Notes the number of bytes transferred so far. Called by the transport.
    func note(_ bytes: Int64) { update { $0.bytes = max($0.bytes, bytes) } }

    /// Sets the function that cancels the request.
    func arm(_ cancel: @escaping @Sendable () -> Void) { update { $0.cancel = cancel } }

    /// Releases the request. The request may retain its progress handler, which retains this
    /// trigger: a reference cycle.
    func disarm() { state.withLock { $0.cancel = nil } }

    private func update(_ change: (inout State) -> Void) {
        guard let limit else { return }
        let cancel = state.withLock { state in
            change(&state)
            return state.bytes >= limit ? state.cancel : nil
        }
        cancel?()
    }
}

import MoyaCore

/// Cancels a request at a number of bytes, which may have moved before there is anything to cancel.
final class Trigger: Sendable {
    private struct State {
        var bytes: Int64 = 0
        var cancel: (@Sendable () -> Void)?
    }

    /// `nil` never cancels.
    private let limit: Int64?
    private let state = Locked(State())

    init(at limit: Int64?) { self.limit = limit }

    /// Notes how many bytes have moved. Called by the transport.
    func note(_ bytes: Int64) { update { $0.bytes = max($0.bytes, bytes) } }

    /// Says how the request is cancelled.
    func arm(_ cancel: @escaping @Sendable () -> Void) { update { $0.cancel = cancel } }

    /// Forgets the request, which may keep its progress handler, and with that this trigger.
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

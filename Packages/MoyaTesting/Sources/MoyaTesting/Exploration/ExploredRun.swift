import Foundation
import MoyaCore
import MoyaStubs

/// A flow that has run on an ``ExploredNetwork``, for the promises that it has to keep.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
public final class ExploredRun<Server: Transport, Value: Sendable> {
    /// How the flow ended.
    public enum Outcome: Sendable {
        /// The flow returned.
        case returned(Value)
        /// The flow threw, and so its caller was told.
        case threw(any Error)
        /// The flow did not end. The text says why.
        case unfinished(String)
    }

    /// The server as the run has left it.
    public let server: Server
    /// How the flow ended. After its process was killed, this is the end of the flow that started again.
    public let outcome: Outcome
    /// The requests that came to the network, in order.
    public let exchanges: [ExploredExchange]
    /// What the flow told, with the seconds of virtual time since the run began.
    public let notes: [(time: TimeInterval, note: FlowNote)]
    /// How long the flow took, in virtual seconds. `nil` where it did not end.
    public let duration: TimeInterval?
    /// What was left when the flow had ended.
    public let leftovers: [String]
    /// Whether a fault has cancelled the flow.
    public let isCancelled: Bool
    /// How often the process was killed.
    public let killCount: Int
    private(set) var broken: [BrokenPromise] = []

    init(
        server: Server, outcome: Outcome, controller: RunController, killCount: Int,
        isCancelled: Bool
    ) {
        self.server = server
        self.outcome = outcome
        let state = controller.state.withLock { $0 }
        exchanges = state.exchanges
        notes = state.notes
        duration = state.lives.last?.flowEnd
        leftovers = controller.leftovers
        self.isCancelled = isCancelled
        self.killCount = killCount
    }

    /// What the flow threw.
    public var error: (any Error)? {
        if case .threw(let error) = outcome { error } else { nil }
    }

    /// What the flow returned.
    public var value: Value? {
        if case .returned(let value) = outcome { value } else { nil }
    }

    /// Promises that `holds` is true.
    ///
    /// - Parameter promise: What is to hold, for the report, which groups by this text.
    public func check(_ promise: String, _ holds: () throws -> Bool) {
        do {
            if try !holds() { breaks(promise, "It does not.") }
        } catch {
            breaks(promise, "The check failed: \(error)")
        }
    }

    /// Reports that the run has not kept `promise`.
    public func breaks(_ promise: String, _ reason: String) {
        broken.append(BrokenPromise(promise: promise, reason: reason))
    }
}

import Foundation
import MoyaCore
import MoyaStubs

/// A finished run of a flow on an ``ExploredNetwork``. Its methods check the promises of the flow.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
public final class ExploredRun<Server: Transport, Value: Sendable> {
    /// How the flow ended.
    public enum Outcome: Sendable {
        /// The flow returned.
        case returned(Value)
        /// The flow threw an error to its caller.
        case threw(any Error)
        /// The flow did not end. The text gives the reason.
        case unfinished(String)
    }

    /// The server, in its state after the run.
    public let server: Server
    /// How the flow ended. After a kill, this is the outcome of the restarted flow.
    public let outcome: Outcome
    /// The requests of the flow, in order.
    public let exchanges: [ExploredExchange]
    /// The notes of the flow, each with the virtual seconds since the run began.
    public let notes: [(time: TimeInterval, note: FlowNote)]
    /// Number of the process start in which each of the `notes` was made, from 0.
    let noteLives: [Int]
    /// Virtual seconds until the flow ended. `nil` if it did not end.
    public let duration: TimeInterval?
    /// Requests, objects, sleepers and files that were left when the flow ended, as text.
    let leftovers: [String]
    /// Whether a fault has cancelled the flow.
    public let isCancelled: Bool
    /// Number of times that a fault killed the process.
    public let killCount: Int
    private(set) var broken: [BrokenPromise] = []
    /// The promises that were checked, and whether the run had a subject for each: a note, a
    /// request or an error to which the promise applies.
    private(set) var subjects: [(promise: String, isThere: Bool)] = []

    init(
        server: Server, outcome: Outcome, controller: RunController, killCount: Int,
        isCancelled: Bool
    ) {
        self.server = server
        self.outcome = outcome
        let state = controller.state.withLock { $0 }
        exchanges = state.exchanges
        notes = state.notes.map { ($0.time, $0.note) }
        noteLives = state.notes.map(\.life)
        duration = state.lives.last?.flowEnd
        leftovers = controller.leftovers
        self.isCancelled = isCancelled
        self.killCount = killCount
    }

    /// The error that the flow threw.
    public var error: (any Error)? {
        if case .threw(let error) = outcome { error } else { nil }
    }

    /// The value that the flow returned.
    public var value: Value? {
        if case .returned(let value) = outcome { value } else { nil }
    }

    /// Checks that `holds` returns `true`.
    ///
    /// - Parameter promise: The condition in words. The report groups broken promises by this text.
    public func check(_ promise: String, _ holds: () throws -> Bool) {
        do {
            if try !holds() { breaks(promise, "The promise does not hold.") }
        } catch {
            breaks(promise, "The check failed: \(error)")
        }
    }

    /// Checks that the flow returned and sent a request. For the run without faults: a flow that
    /// never works keeps most promises, whatever the network does.
    func checkThatFlowWorks() {
        if value == nil { breaks("the flow works without a fault", "It fails.") }
        if exchanges.isEmpty {
            breaks(
                "the flow sends a request",
                "It sends none on the network that it gets, so that no fault can be tried.")
        }
    }

    /// Records that `promise` was checked, and whether this run had anything to check.
    func checks(_ promise: String, when isThere: Bool) { subjects.append((promise, isThere)) }

    /// Records that the run has broken `promise`.
    public func breaks(_ promise: String, _ reason: String) {
        broken.append(BrokenPromise(promise: promise, reason: reason))
    }
}

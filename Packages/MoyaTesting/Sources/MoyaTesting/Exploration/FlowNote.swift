import Foundation

/// An event that a flow reports to the exploration, for promises that the network alone cannot
/// check.
public enum FlowNote: Sendable {
    /// A named event: `.mark("signed out")`. See ``ExploredRun/sendsNothing(after:matching:)``.
    case mark(String)
    /// Progress of a transfer, from 0 to 1 or in bytes. See ``ExploredRun/progressIsMonotone()``.
    case progress(Double, of: String)
    /// Call of a completion. See ``ExploredRun/completesOnce(_:)``.
    case completion(String)
    /// Line of a log. See ``ExploredRun/keepsSecret(_:)``.
    case log(String)
    /// Response that was shown to a user. See
    /// ``ExploredRun/servesEachUserTheirOwn(identifiedBy:)``.
    case shown(Data, to: String)
}

import Foundation

/// What a flow tells an exploration about itself, for promises that the network alone cannot see.
public enum FlowNote: Sendable {
    /// Something has happened: `.mark("signed out")`. See ``ExploredRun/sendsNothing(after:matching:)``.
    case mark(String)
    /// How far a transfer is, from 0 to 1 or in bytes. See ``ExploredRun/progressIsMonotone()``.
    case progress(Double, of: String)
    /// A completion was called. See ``ExploredRun/completesOnce(_:)``.
    case completion(String)
    /// A line of a log. See ``ExploredRun/keepsSecret(_:)``.
    case log(String)
    /// A user saw this response. See ``ExploredRun/servesEachUserTheirOwn(identifiedBy:)``.
    case shown(Data, to: String)
}

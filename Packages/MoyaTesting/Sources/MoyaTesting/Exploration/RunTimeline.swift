import Foundation
import MoyaCore
import MoyaStubs

/// Events of a run, for reports.
struct RunTimeline: Sendable {
    let exchanges: [ExploredExchange]
    let notes: [(time: TimeInterval, note: FlowNote)]
    let schedule: Schedule
    /// Faults that occurred during a pause, each with the number of earlier requests and the
    /// virtual seconds since the run began.
    let pauses: [(earlierRequests: Int, fault: Fault, time: TimeInterval)]
    /// How the flow ended, in a few words.
    let ending: String
    /// Duration of the run, in virtual seconds.
    let duration: TimeInterval

    /// - Parameters:
    ///   - sites: The sites that the run reached.
    ///   - folder: Folder of the run. Its random path is removed from texts.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    init<Server, Value>(
        _ run: ExploredRun<Server, Value>, schedule: Schedule, sites: [Site], folder: URL?
    ) {
        exchanges = run.exchanges
        notes = run.notes
        self.schedule = schedule
        pauses = schedule.strikes.filter(\.isAtPause).map { strike in
            let earlier = sites.prefix(strike.site).count { $0.request != nil }
            let time = sites.indices.contains(strike.site) ? sites[strike.site].time : 0
            return (earlier, strike.fault, time)
        }
        let text =
            switch run.outcome {
            case .returned: "The flow returned."
            // One line of at most 300 characters.
            case .threw(let error):
                "The flow threw \("\(error)".prefix { !$0.isNewline }.prefix(300))."
            case .unfinished(let reason): reason
            }
        ending = RunFolder.hide(folder, in: text)
        let ends = exchanges.map { $0.end ?? $0.start } + notes.map(\.time)
        duration = max(run.duration ?? 0, ends.max() ?? 0)
    }
}

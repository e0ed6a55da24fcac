import Foundation
import MoyaCore

/// A plugin that counts requests as they leave and as they come back.
public final class Traffic: PluginType {
    private let counts = Watched((departures: 0, landings: 0))

    public init() {}

    /// How many requests have been made.
    public var departures: Int { counts.value.departures }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        counts.change { $0.departures += 1 }
    }

    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        counts.change { $0.landings += 1 }
    }

    /// Waits until a request is over and its events have been through `queue`.
    public func waitForLanding(on queue: DispatchQueue) async {
        await counts.wait { $0.landings >= 1 }
        queue.sync {}
    }
}

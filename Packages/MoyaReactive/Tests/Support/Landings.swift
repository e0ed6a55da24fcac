import Foundation
import MoyaCore

/// A plugin that knows when exchanges are over.
public final class Landings: PluginType {
    private let count = Watched(0)

    public init() {}

    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        count.change { $0 += 1 }
    }

    /// Waits until an exchange is over and its events have been through `queue`.
    public func waitForOne(on queue: DispatchQueue) async {
        await count.wait { $0 >= 1 }
        queue.sync {}
    }
}

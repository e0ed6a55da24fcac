import Foundation
import MoyaCore

/// A plugin that counts requests and results.
public final class Traffic: PluginType {
    private let counts = Watched((requestCount: 0, resultCount: 0))

    public init() {}

    /// Number of requests sent.
    public var requestCount: Int { counts.value.requestCount }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        counts.change { $0.requestCount += 1 }
    }

    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        counts.change { $0.resultCount += 1 }
    }

    /// Waits until a request has ended and its events have been delivered on `queue`.
    public func waitForResult(on queue: DispatchQueue) async {
        await counts.wait { $0.resultCount >= 1 }
        queue.sync {}
    }
}

import MoyaCore

/// Start or end of a request.
public enum NetworkActivityChangeType: Sendable {
    /// The request is about to be sent.
    case began
    /// The request has ended with a response or an error.
    case ended
}

/// Reports the start and the end of each request, each exactly once, for example to an activity
/// indicator.
public final class NetworkActivityPlugin: PluginType {
    /// Called when a request begins or ends.
    public typealias NetworkActivityClosure =
        @Sendable (_ change: NetworkActivityChangeType, _ target: any TargetType) -> Void

    private let networkActivityClosure: NetworkActivityClosure

    /// - Parameter networkActivityClosure: Called on an arbitrary thread. Update the user interface
    ///   on the main thread.
    @preconcurrency
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Reports the start of the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        networkActivityClosure(.began, target)
    }

    /// Reports the end of the request.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        networkActivityClosure(.ended, target)
    }
}

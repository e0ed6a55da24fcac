import MoyaCore

/// Whether an exchange begins or has ended.
public enum NetworkActivityChangeType: Sendable {
    /// The request is about to be sent.
    case began
    /// The response or an error is there.
    case ended
}

/// Tells when exchanges begin and end, each once: for an activity indicator.
public final class NetworkActivityPlugin: PluginType {
    /// Takes a change.
    public typealias NetworkActivityClosure =
        @Sendable (_ change: NetworkActivityChangeType, _ target: any TargetType) -> Void

    private let networkActivityClosure: NetworkActivityClosure

    /// - Parameter networkActivityClosure: Called on whatever thread a request begins or ends on. What is shown
    ///   belongs on the main one.
    @preconcurrency
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        networkActivityClosure(.began, target)
    }

    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        networkActivityClosure(.ended, target)
    }
}

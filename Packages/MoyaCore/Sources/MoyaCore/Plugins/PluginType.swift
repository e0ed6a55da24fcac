import Foundation

/// Observes and changes requests and results of a ``MoyaProvider``.
///
/// The four methods are synchronous. Plugins are called in the order in which the provider lists
/// them. To wait for, repeat or replace a request, implement a layer around the ``Transport``
/// instead.
@preconcurrency
public protocol PluginType: Sendable {
    /// Returns the request to send, changed or unchanged.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Called immediately before a request is sent or stubbed.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Called once for each sent or stubbed request with its result, before the caller receives it,
    /// and for a stream at the end of its body. Must not block: for a stream, it runs on one of the
    /// transport's threads, which serves other requests too.
    ///
    /// A request that shares the response of an equal request in flight is not sent itself.
    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType)

    /// Returns the result for the caller, changed or unchanged.
    func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError>
}

extension PluginType {
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }
    public func willSend(_ request: any RequestType, target: any TargetType) {}
    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {}
    public func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> { result }
}

import Foundation

/// Watches and changes requests and results on their way through a ``MoyaProvider``.
///
/// The four hooks are synchronous and run in the order in which the plugins were given.
/// Whatever must wait, repeat or replace an exchange is a layer around the ``Transport``.
@preconcurrency
public protocol PluginType: Sendable {
    /// Changes a request before it is sent.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Called right before a request is sent or stubbed.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Called once for each exchange when its result is there, before the caller gets it. Must not block: after a
    /// stream, it runs on a thread of the transport's, which carries other exchanges as well.
    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType)

    /// Changes a result before the caller gets it.
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

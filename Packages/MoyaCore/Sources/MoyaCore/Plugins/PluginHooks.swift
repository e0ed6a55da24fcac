import Foundation

/// Calls the hooks of a request's plugins. Each hook is called here alone.
struct PluginHooks: Sendable {
    let plugins: [any PluginType]
    let target: any TargetType

    /// Returns the request after the plugins' `prepare`.
    func prepare(_ request: URLRequest) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// Calls the plugins' `willSend`. Returns the credential that a plugin provided.
    func willSend(_ request: URLRequest, over transport: any Transport) -> URLCredential? {
        guard !plugins.isEmpty else { return nil }
        let outgoing = OutgoingRequest(request, over: transport)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return outgoing.credential
    }

    /// Calls the plugins' `didReceive` with the result of a request that they received in
    /// `willSend`: with `await`, in the caller's task; with a completion, on its queue and before
    /// it; for requests that share a response, once, in a task of its own; for a stream, on the
    /// thread that delivers the end of the body.
    func didReceive(_ result: Result<Response, MoyaError>) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// Returns the result after the plugins' `process`.
    func process(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }
}

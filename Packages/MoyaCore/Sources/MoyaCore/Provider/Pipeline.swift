import Foundation
import MoyaInternals
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way of one request, and the only place that calls plugins.
///
/// 1. ``makeRequest(_:destination:)``: plugins `prepare` it, and it is validated
/// 2. ``PreparedRequest/announce(progress:)``: plugins hear `willSend`
/// 3. ``PreparedRequest/send(_:)``: the transport carries it
/// 4. ``PreparedRequest/receive(_:)``: the status is validated, a file gets its name
/// 5. ``report(_:)``: plugins hear `didReceive`
/// 6. ``finish(_:)``: plugins `process` the result for the caller
///
/// Completions, `await`, streams, stubs and resumable transfers take these steps. They differ in how they wait.
struct Pipeline: Sendable {
    let target: any TargetType
    let endpoint: Endpoint
    let plugins: [any PluginType]
    let transport: any Transport

    /// Adds an upload's part to a request, lets every plugin prepare it, and validates it.
    ///
    /// - Parameter destination: Stands in for the task's own.
    /// - Throws: ``MoyaError`` for a body that cannot be had or a request that cannot be sent.
    func makeRequest(
        _ urlRequest: URLRequest, destination: ResponseDestination? = nil
    ) throws(MoyaError) -> PreparedRequest {
        var urlRequest = urlRequest
        let upload = try addUpload(to: &urlRequest)
        return try PreparedRequest(
            adapt(urlRequest), upload: upload, destination: destination, in: self)
    }

    /// The body of an upload task, after it has added to `request` what it needs.
    func addUpload(to request: inout URLRequest) throws(MoyaError) -> RequestBody? {
        guard case .upload(let body) = endpoint.task.body else { return nil }
        do {
            return try body.makeBody(for: &request)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// The request as the plugins leave it.
    func adapt(_ request: URLRequest) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// Tells the plugins that a request is about to be sent. Returns the credential that one of them gave.
    func announce(_ request: URLRequest) -> URLCredential? {
        guard !plugins.isEmpty else { return nil }
        let outgoing = OutgoingRequest(request)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return outgoing.credential
    }

    /// Tells the plugins the result of what they have been announced.
    func report(_ result: Result<Response, MoyaError>) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// The result as the plugins leave it, for the caller.
    func finish(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }
}

extension Pipeline {
    /// All steps but the last, for a caller that waits.
    func run(_ urlRequest: URLRequest) async throws(MoyaError) -> Result<Response, MoyaError> {
        let prepared = try makeRequest(urlRequest)
        let outcome = await prepared.send(prepared.announce())
        let result = await prepared.receive(outcome)
        report(result)
        return result
    }

    /// All steps but the last, over a stub that answers at once on the caller's thread.
    func run(
        _ urlRequest: URLRequest, over stub: SampleTransport
    ) throws(MoyaError) -> Result<Response, MoyaError> {
        let prepared = try makeRequest(urlRequest)
        _ = announce(prepared.urlRequest)
        let result = prepared.receiveInPlace(prepared.sample(of: stub))
        report(result)
        return result
    }
}

import Foundation
import MoyaInternals

/// The steps of a request, and the only code that calls plugins.
///
/// 1. ``makeRequest(_:destination:)``: plugins `prepare` the request, and it is validated
/// 2. ``PreparedRequest/announce(progress:)``: plugins receive `willSend`
/// 3. ``PreparedRequest/result(of:ifWanted:)``: the transport sends the request, the status code is
///    validated, and a file is moved to its destination
/// 4. ``report(_:)``: plugins receive `didReceive`
/// 5. ``finish(_:)``: plugins `process` the result for the caller
///
/// Completions, `await`, streams, stubs and resumable transfers share these steps. They differ in
/// how they wait between them.
struct Pipeline: Sendable {
    let target: any TargetType
    let endpoint: Endpoint
    let plugins: [any PluginType]
    let transport: any Transport
    let coders: Coders

    /// Executor of the transport, for tasks in which no caller's code runs. `nil` for others: a
    /// plugin, redirect handler or delivery may block the transport's thread.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    var taskExecutor: (any TaskExecutor)? {
        guard plugins.isEmpty, endpoint.task.delivery is MemoryDelivery,
            endpoint.task.redirectPolicy.isDefault
        else { return nil }
        return transport.taskExecutor
    }

    /// Makes the body of an upload, lets plugins prepare the request, and validates it.
    ///
    /// - Parameter destination: Overrides the destination of the endpoint's task.
    /// - Throws: ``MoyaError`` for a body that cannot be made or an invalid request.
    func makeRequest(
        _ urlRequest: URLRequest, destination: ResponseDestination? = nil
    ) throws(MoyaError) -> PreparedRequest {
        var urlRequest = urlRequest
        let upload = try addUpload(to: &urlRequest)
        return try PreparedRequest(
            adapt(urlRequest), upload: upload, destination: destination, in: self)
    }

    /// Makes the body of an upload task, which may add header fields to `request`. Returns `nil`
    /// for other tasks.
    func addUpload(to request: inout URLRequest) throws(MoyaError) -> RequestBody? {
        guard case .upload(let body) = endpoint.task.body else { return nil }
        do {
            return try body.makeBody(for: &request)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Returns the request after the plugins' `prepare`.
    func adapt(_ request: URLRequest) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// Calls the plugins' `willSend`. Returns the credential that a plugin provided.
    func announce(_ request: URLRequest) -> URLCredential? {
        guard !plugins.isEmpty else { return nil }
        let outgoing = OutgoingRequest(request)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return outgoing.credential
    }

    /// Calls the plugins' `didReceive` with the result of a request that they received in
    /// `willSend`.
    func report(_ result: Result<Response, MoyaError>) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// Returns the result after the plugins' `process`.
    func finish(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }

    /// Returns the error after the plugins' `process`. A plugin may replace the error with a
    /// response, but that response is not a stream, so it is ignored.
    func finishing(_ error: MoyaError) -> MoyaError {
        if case .failure(let last) = finish(.failure(error)) { last } else { error }
    }
}

extension Pipeline {
    /// Runs all steps but ``finish(_:)``, for a caller that awaits the result.
    func run(_ urlRequest: URLRequest) async throws(MoyaError) -> Result<Response, MoyaError> {
        let prepared = try makeRequest(urlRequest)
        let result = await prepared.result(of: prepared.announce())
        report(result)
        return result
    }

    /// Runs all steps but ``finish(_:)`` over a stub, synchronously on the caller's thread.
    func run(
        _ urlRequest: URLRequest, over stub: SampleTransport
    ) throws(MoyaError) -> Result<Response, MoyaError> {
        let prepared = try makeRequest(urlRequest)
        _ = announce(prepared.urlRequest)
        let result = prepared.result(of: stub)
        report(result)
        return result
    }
}

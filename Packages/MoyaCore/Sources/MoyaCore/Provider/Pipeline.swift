import Foundation
import MoyaInternals

/// The steps of a request, and the only code that calls plugins.
///
/// 1. ``makeRequest(_:destination:)``: plugins `prepare` the request, and it is validated
/// 2. ``PreparedRequest/willSend(progress:)``: plugins receive `willSend`
/// 3. ``PreparedRequest/result(of:claim:)``: the transport sends the request, the status code is
///    validated, and a file is moved to its destination
/// 4. ``didReceive(_:)``: plugins receive `didReceive`
/// 5. ``process(_:)``: plugins `process` the result for the caller
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
            prepare(urlRequest), upload: upload, destination: destination, in: self)
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
    func prepare(_ request: URLRequest) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// Calls the plugins' `willSend`. Returns the credential that a plugin provided.
    func willSend(_ request: URLRequest) -> URLCredential? {
        guard !plugins.isEmpty else { return nil }
        let outgoing = OutgoingRequest(request)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return outgoing.credential
    }

    /// Calls the plugins' `didReceive` with the result of a request that they received in
    /// `willSend`: with `await`, in the caller's task; with a completion, on its queue and before
    /// it; for requests that share a response, once and on none of their queues; for a stream, on
    /// the thread that delivers the end of the body.
    func didReceive(_ result: Result<Response, MoyaError>) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// Returns the result after the plugins' `process`.
    func process(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }
}

extension Pipeline {
    /// Runs all steps but ``process(_:)``, for a caller that awaits the result.
    func run(_ urlRequest: URLRequest) async throws(MoyaError) -> Result<Response, MoyaError> {
        let prepared = try makeRequest(urlRequest)
        let result = await prepared.result(of: prepared.willSend())
        didReceive(result)
        return result
    }

    /// Runs all steps but ``process(_:)`` over a stub, synchronously on the caller's thread and
    /// without the stub's delay.
    func runStub(_ urlRequest: URLRequest) -> Result<Response, MoyaError> {
        Result { () throws(MoyaError) in try makeRequest(urlRequest) }.flatMap { prepared in
            _ = willSend(prepared.urlRequest)
            let result = prepared.stubResult()
            didReceive(result)
            return result
        }
    }
}

/// A request that plugins have prepared. Implements the steps of a ``Pipeline`` from `willSend` to
/// the response.
final class PreparedRequest: Sendable {
    let pipeline: Pipeline
    /// The request after the plugins' `prepare`.
    let urlRequest: URLRequest
    private let body: RequestBody
    private let destination: ResponseDestination

    private var endpoint: Endpoint { pipeline.endpoint }

    /// - Parameters:
    ///   - upload: Sent instead of the request's `httpBody`.
    ///   - destination: Overrides the destination of the endpoint's task.
    /// - Throws: ``MoyaError`` for an invalid request.
    init(
        _ urlRequest: URLRequest, upload: RequestBody? = nil,
        destination: ResponseDestination? = nil, in pipeline: Pipeline
    ) throws(MoyaError) {
        self.pipeline = pipeline
        self.urlRequest = urlRequest
        body = upload ?? urlRequest.httpBody.map(RequestBody.data) ?? .none
        do {
            try RequestValidation.validate(urlRequest)
            if urlRequest.httpBodyStream != nil { throw RequestError.bodyStream }
            self.destination = try destination ?? pipeline.endpoint.task.delivery.makeDestination()
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Calls the plugins' `willSend` and makes the request for the transport.
    func willSend(progress: (@Sendable (TransferProgress) -> Void)? = nil) -> TransportRequest {
        var request = TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.willSend(urlRequest), progress: progress, target: pipeline.target)
        request.coders = pipeline.coders
        return request
    }

    /// Sends the request, and validates and delivers its response.
    ///
    /// - Parameter claim: Called when the transport has responded. If it returns `false`, the
    ///   response is discarded, and the result is ``MoyaError/cancelled``.
    func result(
        of request: TransportRequest, claim: () -> Bool = { true }
    ) async -> Result<Response, MoyaError> {
        do {
            let answer = try await pipeline.transport.send(request)
            guard claim() else {
                answer.discard()
                return .failure(.cancelled)
            }
            // Disk I/O may block, so files are delivered off the cooperative thread pool.
            guard isForFile(answer) else { return deliver(answer) }
            return await DiskWork.perform { self.deliver(answer) }
        } catch {
            return claim() ? .failure(MoyaError(wrapping: error)) : .failure(.cancelled)
        }
    }

    /// Validates and delivers the endpoint's sample response on the caller's thread.
    func stubResult() -> Result<Response, MoyaError> {
        let stub = SampleTransport(endpoint: endpoint, coders: pipeline.coders)
        do {
            // A plugin may have removed the URL. The target's base URL replaces it.
            return deliver(try stub.response(from: urlRequest.url ?? pipeline.target.baseURL))
        } catch {
            return .failure(MoyaError(wrapping: error))
        }
    }

    private func deliver(_ answer: TransportResponse) -> Result<Response, MoyaError> {
        let isAccepted = pipeline.target.validationType.accepts(answer.head.statusCode)
        do {
            let delivered = try endpoint.task.delivery.deliver(
                answer, from: destination, isAccepted: isAccepted)
            let response = Response(delivered, request: urlRequest, coders: pipeline.coders)
            return isAccepted
                ? .success(response)
                : .failure(.underlying(MoyaError.statusCode(response), response))
        } catch {
            let response = Response(
                answer.withoutFile(), request: urlRequest, coders: pipeline.coders)
            return .failure(MoyaError(wrapping: error, response))
        }
    }

    /// Whether the response's body is delivered to a file.
    private func isForFile(_ answer: TransportResponse) -> Bool {
        if case .file = answer.body { return true }
        if case .file = destination { return true }
        return false
    }
}

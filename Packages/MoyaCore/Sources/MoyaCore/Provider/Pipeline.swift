import Foundation
import MoyaInternals

/// The steps of a request.
///
/// 1. ``makeRequest(_:destination:)``: plugins `prepare` the request, and it is validated
/// 2. ``PreparedRequest/transportRequest(progress:)``: plugins receive `willSend`
/// 3. ``PreparedRequest/result(of:claim:)``: the transport sends the request, the status code is
///    validated, and a file is moved to its destination
/// 4. ``PluginHooks/finish(_:wasSent:report:)``: plugins receive `didReceive`, the last progress
///    report is made, and plugins `process` the result for the caller
///
/// A stream that succeeds has only `didReceive` of step 4, at the end of its body. Requests that
/// share a response have it once.
///
/// Completions, `await`, streams, stubs and resumable transfers share these steps. They differ in
/// how they wait between them.
struct Pipeline: Sendable {
    let endpoint: Endpoint
    let hooks: PluginHooks
    let transport: any Transport
    let coders: Coders

    var target: any TargetType { hooks.target }

    /// Executor of the transport, for tasks in which no caller's code runs. `nil` for others: a
    /// plugin, redirect handler or delivery may block the transport's thread.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    var taskExecutor: (any TaskExecutor)? {
        guard hooks.plugins.isEmpty, endpoint.task.delivery is MemoryDelivery,
            endpoint.task.redirectPolicy.isDefault
        else { return nil }
        return transport.taskExecutor
    }

    /// The stub that responds at once, if there is one.
    var immediateStub: SampleTransport? {
        (transport as? SampleTransport).flatMap { $0.delay == 0 ? $0 : nil }
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
            hooks.prepare(urlRequest), upload: upload, destination: destination, in: self)
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
}

extension MoyaProvider {
    func hooks(for target: Target) -> PluginHooks { PluginHooks(plugins: plugins, target: target) }

    /// - Parameter behavior: Decides whether a stub responds instead of the provider's transport.
    func pipeline(
        _ hooks: PluginHooks, _ endpoint: Endpoint, _ behavior: StubBehavior
    ) -> Pipeline {
        let stub = behavior.delay.map {
            SampleTransport(endpoint: endpoint, delay: $0, coders: coders)
        }
        return Pipeline(
            endpoint: endpoint, hooks: hooks, transport: stub ?? transport, coders: coders)
    }
}

/// A request that plugins have prepared. Implements the steps of a ``Pipeline`` from `willSend` to
/// the response.
final class PreparedRequest: Sendable {
    let pipeline: Pipeline
    /// The request after the plugins' `prepare`.
    let urlRequest: URLRequest
    /// The target's validation. Read once, before a task on the transport's thread needs it.
    let validation: ValidationType
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
        validation = pipeline.target.validationType
        body = upload ?? urlRequest.httpBody.map(RequestBody.data) ?? .none
        do {
            try RequestValidation.validate(urlRequest)
            if urlRequest.httpBodyStream != nil { throw RequestError.bodyStream }
            self.destination = try destination ?? pipeline.endpoint.task.delivery.makeDestination()
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Calls the plugins' `willSend`, and returns the request for the transport.
    func transportRequest(
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> TransportRequest {
        var request = TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.hooks.willSend(urlRequest), progress: progress,
            target: pipeline.target)
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

    /// Validates and delivers the response of a stub on the caller's thread, without its delay.
    func result(
        of request: TransportRequest, by stub: SampleTransport
    ) -> Result<Response, MoyaError> {
        do {
            return deliver(try stub.response(to: request))
        } catch {
            return .failure(MoyaError(wrapping: error))
        }
    }

    private func deliver(_ answer: TransportResponse) -> Result<Response, MoyaError> {
        let isAccepted = validation.accepts(answer.head.statusCode)
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

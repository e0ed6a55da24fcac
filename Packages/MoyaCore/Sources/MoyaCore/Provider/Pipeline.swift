import Foundation
import MoyaInternals

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
    let coders: Coders

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

/// A request that plugins have prepared, and what becomes of it: the steps of a ``Pipeline`` from `willSend` to the response.
final class PreparedRequest: Sendable {
    typealias Outcome = Result<TransportResponse, any Error>

    let pipeline: Pipeline
    /// The request as the plugins left it.
    let urlRequest: URLRequest
    private let body: RequestBody
    private let destination: ResponseDestination

    private var endpoint: Endpoint { pipeline.endpoint }

    /// - Parameters:
    ///   - upload: Sent in place of the request's own body.
    ///   - destination: Stands in for the task's own.
    /// - Throws: ``MoyaError`` for a request that cannot be sent.
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

    /// Tells the plugins that the request is about to be sent, and makes what the transport gets.
    func announce(progress: (@Sendable (TransferProgress) -> Void)? = nil) -> TransportRequest {
        TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.announce(urlRequest), progress: progress, target: pipeline.target)
    }

    func send(_ request: TransportRequest) async -> Outcome {
        do {
            return .success(try await pipeline.transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// The response of a stub, without its delay.
    func sample(of stub: SampleTransport) -> Outcome {
        // A target's base URL stands in for a URL that a plugin took away.
        Outcome { try stub.response(from: urlRequest.url ?? pipeline.target.baseURL) }
    }

    /// Validates and delivers. A file gets its name away from the threads that tasks share, because the disk may block.
    func receive(_ outcome: Outcome) async -> Result<Response, MoyaError> {
        guard case .success(let answer) = outcome, isForFile(answer) else {
            return receiveInPlace(outcome)
        }
        return await DiskWork.perform { self.receiveInPlace(outcome) }
    }

    /// Validates and delivers on the caller's thread.
    func receiveInPlace(_ outcome: Outcome) -> Result<Response, MoyaError> {
        let answer: TransportResponse
        switch outcome {
        case .success(let success): answer = success
        case .failure(let error): return .failure(MoyaError(wrapping: error))
        }
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

    /// Whether what the caller gets of `answer` is in a file.
    private func isForFile(_ answer: TransportResponse) -> Bool {
        if case .file = answer.body { return true }
        if case .file = destination { return true }
        return false
    }
}

extension TransportResponse {
    /// This response without its file, which is removed.
    fileprivate func withoutFile() -> TransportResponse {
        guard case .file = body else { return self }
        discard()
        var response = self
        response.body = .data(Data())
        return response
    }
}

import Foundation
import MoyaInternals

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
    func announce(progress: (@Sendable (TransferProgress) -> Void)? = nil) -> TransportRequest {
        var request = TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.announce(urlRequest), progress: progress, target: pipeline.target)
        request.coders = pipeline.coders
        return request
    }

    /// Sends the request, and validates and delivers its response.
    ///
    /// - Parameter isWanted: Called when the transport has responded. If it returns `false`, the
    ///   response is discarded, and the result is ``MoyaError/cancelled``.
    func result(
        of request: TransportRequest, ifWanted isWanted: () -> Bool = { true }
    ) async -> Result<Response, MoyaError> {
        do {
            let answer = try await pipeline.transport.send(request)
            guard isWanted() else {
                answer.discard()
                return .failure(.cancelled)
            }
            // Disk I/O may block, so files are delivered off the cooperative thread pool.
            guard isForFile(answer) else { return deliver(answer) }
            return await DiskWork.perform { self.deliver(answer) }
        } catch {
            return isWanted() ? .failure(MoyaError(wrapping: error)) : .failure(.cancelled)
        }
    }

    /// Validates and delivers the response of a stub, without its delay, on the caller's thread.
    func result(of stub: SampleTransport) -> Result<Response, MoyaError> {
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

extension PreparedRequest {
    /// Sends the request, returns the streamed response and reports it to plugins when the body has
    /// ended.
    ///
    /// - Returns: The response, and the validation error if the status code is rejected.
    func stream(
        _ request: TransportRequest
    ) async throws(MoyaError) -> (StreamingResponse, refusal: MoyaError?) {
        let head: ResponseHead
        let metrics: TransportMetrics
        let body: ResponseBodyStream
        do {
            let answer = try await pipeline.transport.send(request)
            (head, metrics, body) = (answer.head, answer.metrics, try await answer.stream())
        } catch {
            let error = MoyaError(wrapping: error)
            pipeline.report(.failure(error))
            throw error
        }
        let stream = StreamingResponse(
            head: head, request: urlRequest, body: body, coders: pipeline.coders)
        guard pipeline.target.validationType.accepts(head.statusCode) else {
            let error = await stream.refusal()
            pipeline.report(.failure(error))
            let beginning = ResponseBodyStream(error.response?.data ?? Data())
            return (
                StreamingResponse(
                    head: head, request: urlRequest, body: beginning, coders: pipeline.coders),
                pipeline.finishing(error)
            )
        }
        // Captures no reference to the body: the body stores this closure, and would retain itself.
        body.whenEnded { [pipeline, urlRequest] outcome in
            let response = Response(
                TransportResponse(head: head, metrics: metrics), request: urlRequest)
            switch outcome {
            case .success: pipeline.report(.success(response))
            case .failure(let error):
                pipeline.report(.failure(MoyaError(wrapping: error, response)))
            }
        }
        return (stream, nil)
    }
}

extension TransportResponse {
    /// Removes the response's file and returns the response with an empty body.
    fileprivate func withoutFile() -> TransportResponse {
        guard case .file = body else { return self }
        discard()
        var response = self
        response.body = .data(Data())
        return response
    }

    /// Returns the body as a stream, whatever form the transport returned it in.
    fileprivate func stream() async throws -> ResponseBodyStream {
        switch body {
        case .data(let data): return ResponseBodyStream(data)
        case .stream(let stream): return stream
        case .file(let url):
            return try await DiskWork.perform {
                defer { discard() }
                return ResponseBodyStream(try Data(contentsOf: url))
            }
        }
    }
}

import Foundation
import MoyaInternals

/// A request that plugins have prepared. Implements the steps of a ``Pipeline`` from `willSend` to
/// the response.
final class PreparedRequest: Sendable {
    typealias Outcome = Result<TransportResponse, any Error>

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

    func send(_ request: TransportRequest) async -> Outcome {
        do {
            return .success(try await pipeline.transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the response of a stub, without its delay.
    func sample(of stub: SampleTransport) -> Outcome {
        // A plugin may have removed the URL. The target's base URL replaces it.
        Outcome { try stub.response(from: urlRequest.url ?? pipeline.target.baseURL) }
    }

    /// Validates and delivers the response. Delivers files off the cooperative thread pool, because
    /// disk I/O may block.
    func receive(_ outcome: Outcome) async -> Result<Response, MoyaError> {
        guard case .success(let answer) = outcome, isForFile(answer) else {
            return receiveInPlace(outcome)
        }
        return await DiskWork.perform { self.receiveInPlace(outcome) }
    }

    /// Validates and delivers the response on the caller's thread.
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

    /// Whether the response's body is delivered to a file.
    private func isForFile(_ answer: TransportResponse) -> Bool {
        if case .file = answer.body { return true }
        if case .file = destination { return true }
        return false
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
}

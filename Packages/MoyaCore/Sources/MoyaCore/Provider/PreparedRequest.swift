import Foundation
import MoyaInternals
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
            let response = Response(delivered, request: urlRequest)
            return isAccepted
                ? .success(response)
                : .failure(.underlying(MoyaError.statusCode(response), response))
        } catch {
            let response = Response(answer.withoutFile(), request: urlRequest)
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

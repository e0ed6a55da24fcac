import Foundation
import MoyaInternals

/// A request that plugins have prepared. Implements the steps of a ``Pipeline`` from `willSend` to
/// the response.
final class PreparedRequest: Sendable {
    let pipeline: Pipeline
    /// The request after the plugins' `prepare`.
    let urlRequest: URLRequest
    let validation: ValidationType
    private let body: RequestBody
    private let destination: ResponseDestination

    private var endpoint: Endpoint { pipeline.endpoint }

    init(
        pipeline: Pipeline, urlRequest: URLRequest, validation: ValidationType, body: RequestBody,
        destination: ResponseDestination
    ) {
        self.pipeline = pipeline
        self.urlRequest = urlRequest
        self.validation = validation
        self.body = body
        self.destination = destination
    }

    /// Calls the plugins' `willSend`, and returns the request for the transport.
    func willSend(progress: (@Sendable (TransferProgress) -> Void)?) -> TransportRequest {
        var request = TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.hooks.willSend(urlRequest), progress: progress,
            target: pipeline.target)
        request.coders = pipeline.coders
        return request
    }

    /// Sends the request, and validates and delivers its response.
    func send(_ request: TransportRequest, claim: Pipeline.Claim) async -> Outcome {
        let answer: TransportResponse
        do {
            answer = try await pipeline.transport.send(request)
        } catch {
            let isCancelled = !claim(.deliver)
            return Outcome(
                .failure(isCancelled ? .cancelled : MoyaError(wrapping: error)), wasSent: true)
        }
        guard claim(.deliver) else {
            answer.discard()
            return .cancelled(wasSent: true)
        }
        if case .stream = destination { return await stream(answer) }
        // Disk I/O may block, so files are delivered off the cooperative thread pool.
        guard isForFile(answer) else { return deliver(answer) }
        return await DiskWork.perform { self.deliver(answer) }
    }

    /// Validates and delivers a response.
    func deliver(_ answer: TransportResponse) -> Outcome {
        let isAccepted = validation.accepts(answer.head.statusCode)
        let result: Result<Response, MoyaError>
        do {
            let delivered = try endpoint.task.delivery.deliver(
                answer, from: destination, isAccepted: isAccepted)
            let response = response(delivered)
            result =
                isAccepted
                ? .success(response)
                : .failure(.underlying(MoyaError.statusCode(response), response))
        } catch {
            result = .failure(MoyaError(wrapping: error, response(answer.withoutFile())))
        }
        return Outcome(result, wasSent: true)
    }

    private func response(_ answer: TransportResponse) -> Response {
        Response(answer, request: urlRequest, coders: pipeline.coders)
    }

    /// Whether the response's body is delivered to a file.
    private func isForFile(_ answer: TransportResponse) -> Bool {
        if case .file = answer.body { return true }
        if case .file = destination { return true }
        return false
    }

    /// Delivers the response as a stream, which is reported to plugins when its body has ended.
    private func stream(_ answer: TransportResponse) async -> Outcome {
        let (head, metrics, body): (ResponseHead, TransportMetrics, ResponseBodyStream)
        do {
            (head, metrics, body) = (answer.head, answer.metrics, try await answer.stream())
        } catch {
            return Outcome(.failure(MoyaError(wrapping: error)), wasSent: true)
        }
        var stream = StreamingResponse(
            head: head, request: urlRequest, body: body, coders: pipeline.coders)
        guard validation.accepts(head.statusCode) else {
            let error = await stream.refusal()
            stream = StreamingResponse(
                head: head, request: urlRequest,
                body: ResponseBodyStream(error.response?.data ?? Data()), coders: pipeline.coders)
            var outcome = Outcome(.failure(error), wasSent: true)
            outcome.stream = stream
            return outcome
        }
        // Captures no reference to the body: the body stores this closure, and would retain itself.
        body.whenEnded { [self] outcome in
            let ending = try? outcome.get()
            let whole = response(
                TransportResponse(
                    head: head, metrics: ending?.metrics ?? metrics,
                    trailers: ending?.trailers ?? []))
            pipeline.hooks.didReceive(
                outcome.map { _ in whole }.mapError { MoyaError(wrapping: $0, whole) })
        }
        var outcome = Outcome(.success(response(TransportResponse(head: head))), wasSent: true)
        outcome.stream = stream
        return outcome
    }
}

import Foundation
import MoyaInternals

/// A prepared request. Implements the steps of a ``Pipeline`` from `willSend` to the response.
struct PreparedRequest: Sendable {
    let pipeline: Pipeline
    /// The request after the plugins' `prepare`.
    let urlRequest: URLRequest
    /// The statuses that are no error.
    let accepted: ValidationType
    let body: RequestBody
    let destination: ResponseDestination

    private var endpoint: Endpoint { pipeline.endpoint }
    private var coders: Coders { pipeline.context.coders }

    /// Calls the plugins' `willSend`, and returns the request for the transport.
    func willSend(progress: (@Sendable (TransferProgress) -> Void)?) -> TransportRequest {
        TransportRequest(
            urlRequest, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy,
            credential: pipeline.hooks.willSend(urlRequest, over: pipeline.transport),
            progress: progress, deadline: pipeline.deadline, context: pipeline.context)
    }

    /// Sends the request, and validates and delivers its response.
    nonisolated(nonsending) func send(
        _ request: TransportRequest, claim: Pipeline.Claim
    ) async -> Outcome {
        let answer: TransportResponse
        do {
            answer = try await pipeline.transport.send(request)
        } catch {
            let isCancelled = !claim(.deliver)
            return Outcome(
                .failure(isCancelled ? .cancelled : MoyaError(wrapping: error)))
        }
        guard claim(.deliver) else {
            await DiskWork.perform { answer.discard() }
            return .cancelled()
        }
        if case .stream = destination { return await stream(answer) }
        if case .memory = destination, case .data = answer.body { return deliver(answer) }
        // Disk I/O may block, so files are delivered off the cooperative thread pool.
        return await DiskWork.perform { self.deliver(answer) }
    }

    /// Validates and delivers a response.
    func deliver(_ answer: TransportResponse) -> Outcome {
        let isAccepted = accepted.accepts(answer.head.statusCode)
        do {
            let response = response(
                try endpoint.task.delivery.deliver(
                    answer, from: destination, isAccepted: isAccepted))
            return Outcome(
                isAccepted
                    ? .success(response)
                    : .failure(.underlying(MoyaError.statusCode(response), response)))
        } catch {
            return Outcome(
                .failure(MoyaError(wrapping: error, response(answer.withoutFile()))))
        }
    }

    /// Returns the response as a stream. Plugins receive it when its body has ended.
    private nonisolated(nonsending) func stream(_ answer: TransportResponse) async -> Outcome {
        let body: ResponseBodyStream
        do {
            body = try await answer.stream()
        } catch {
            return Outcome(.failure(MoyaError(wrapping: error)))
        }
        let (head, metrics) = (answer.head, answer.metrics)
        guard accepted.accepts(head.statusCode) else {
            let refused = StreamingResponse(
                head: head, request: urlRequest, body: body, coders: coders)
            let error = await refused.refusal()
            let read = ResponseBodyStream(error.response?.data ?? Data())
            return Outcome(.failure(error), body: read)
        }
        let start = response(TransportResponse(head: head, metrics: metrics))
        let hooks = pipeline.hooks
        if !hooks.plugins.isEmpty {
            // Captures neither the response's body, which stores this closure, nor an upload's.
            let whole = TransportResponse(head: head, body: .stream(body), metrics: metrics)
            whole.whenEnded { [urlRequest, coders] outcome in
                hooks.didReceive(
                    outcome.map { Response($0, request: urlRequest, coders: coders) }
                        .mapError { MoyaError(wrapping: $0, start) })
            }
        }
        return Outcome(.success(start), body: body)
    }

    private func response(_ answer: TransportResponse) -> Response {
        Response(answer, request: urlRequest, coders: coders)
    }
}

import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Makes a request and hands over its response as soon as the header fields are there. The body is read
    /// as it arrives, and the server held back while nobody reads.
    ///
    /// ```swift
    /// for try await chunk in try await provider.stream(.logs) { print(chunk.count) }
    /// ```
    ///
    /// Plugins hear of the response in `didReceive` when its last byte has arrived, with an empty body, or
    /// when it has failed. Only a response that never becomes a stream goes through `process`. The
    /// target's download destination is not used, and the request never shares another one's answer.
    ///
    /// - Throws: ``MoyaError``: for a status that the target's validation does not accept,
    ///   ``MoyaError/underlying(_:_:)`` with the response in it, and of its body what comes within five seconds, the first
    ///   MiB at most.
    public func stream(_ target: Target) async throws -> StreamingResponse {
        try await UnvalidatedResponse(to: target, from: self) { $0 }.validated()
    }
}

/// A streamed response, whatever the target's validation says of its status.
@_spi(MoyaInternals)
public struct UnvalidatedResponse: Sendable {
    private let response: StreamingResponse
    /// The error of the target's validation, where it does not accept the status.
    private let refusal: MoyaError?

    public var head: ResponseHead { response.head }
    public var body: ResponseBodyStream { response.body }
    public var statusCode: Int { response.statusCode }

    /// Streams the request of `target` with a changed endpoint, through the whole provider: its plugins, stubs and transport.
    ///
    /// - Parameter change: Changes the endpoint that the provider makes for `target`.
    /// - Throws: ``MoyaError``, but not for the status of a response.
    public init<Target>(
        to target: Target, from provider: MoyaProvider<Target>,
        changing change: (Endpoint) -> Endpoint
    ) async throws(MoyaError) {
        let endpoint = change(provider.endpoint(target))
        let transport: any Transport =
            if let delay = provider.stubClosure(target).delay {
                SampleTransport(endpoint: endpoint, delay: delay)
            } else {
                provider.transport
            }
        let pipeline = Pipeline(
            target: target, endpoint: endpoint, plugins: provider.plugins, transport: transport,
            coders: provider.coders)
        do throws(MoyaError) {
            let request = try await provider.resolve(endpoint)
            let prepared = try pipeline.makeRequest(request, destination: .stream)
            if Task.isCancelled { throw .cancelled }
            (response, refusal) = try await prepared.stream(prepared.announce())
        } catch {
            throw pipeline.finishing(error)
        }
    }

    /// The error for a status that is of no use.
    public func unusable() async -> MoyaError {
        if let refusal { return refusal }
        return await response.refusal()
    }

    /// The response, if the target's validation accepts its status.
    fileprivate func validated() throws(MoyaError) -> StreamingResponse {
        if let refusal { throw refusal }
        return response
    }
}

extension PreparedRequest {
    /// Sends and receives a response that is read as a stream, and reports it when that is over.
    ///
    /// - Returns: The response, and the error for a status that is not accepted.
    fileprivate func stream(
        _ request: TransportRequest
    ) async throws(MoyaError) -> (StreamingResponse, refusal: MoyaError?) {
        let head: ResponseHead
        let metrics: TransportMetrics
        let body: ResponseBodyStream
        do {
            let answer = try await send(request).get()
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
        // Without the body, which would otherwise hold on to itself.
        body.whenOver { [pipeline, urlRequest] error in
            let response = Response(
                TransportResponse(head: head, metrics: metrics), request: urlRequest)
            pipeline.report(
                error.map { .failure(MoyaError(wrapping: $0, response)) } ?? .success(response))
        }
        return (stream, nil)
    }
}

extension Pipeline {
    /// The error as the plugins leave it. A response that one of them puts in its place is no stream, so it is not used.
    fileprivate func finishing(_ error: MoyaError) -> MoyaError {
        if case .failure(let last) = finish(.failure(error)) { last } else { error }
    }
}

extension TransportResponse {
    /// The body as a stream, whatever the transport made of it.
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

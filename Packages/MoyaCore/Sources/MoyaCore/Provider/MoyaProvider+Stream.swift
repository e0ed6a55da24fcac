import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
    public func stream(_ target: Target) async throws(MoyaError) -> StreamingResponse {
        let endpoint = endpoint(target)
        let behavior = stubClosure(target)
        do throws(MoyaError) {
            let flight = try Flight(
                try await resolve(endpoint), target: target, endpoint: endpoint, plugins: plugins,
                destination: .stream)
            if _Concurrency.Task.isCancelled { throw .cancelled }
            return try await stream(flight, behavior)
        } catch {
            let last = plugins.reduce(.failure(error)) { $1.process($0, target: target) }
            // A plugin may have another error for it, but a stream is nothing it could make.
            if case .failure(let error) = last { throw error }
            throw error
        }
    }

    private func stream(
        _ flight: Flight, _ behavior: StubBehavior
    ) async throws(MoyaError) -> StreamingResponse {
        let outgoing = flight.depart()
        let answer: TransportResponse
        do {
            switch behavior {
            case .never: answer = try await transport.send(outgoing)
            case .immediate: answer = try flight.stubbedAnswer().get()
            case .delayed(let seconds):
                let delay = StubBehavior.finite(seconds)
                try await _Concurrency.Task.sleep(nanoseconds: UInt64(delay * 1e9))
                answer = try flight.stubbedAnswer().get()
            }
        } catch {
            let error = MoyaError(wrapping: error)
            flight.notify(.failure(error))
            throw error
        }
        return try await flight.stream(answer)
    }
}

extension Flight {
    fileprivate func stream(_ answer: TransportResponse) async throws(MoyaError)
        -> StreamingResponse
    {
        let body: ResponseBodyStream
        do {
            body = try answer.stream()
        } catch {
            let error = MoyaError(wrapping: error)
            notify(.failure(error))
            throw error
        }
        let stream = StreamingResponse(head: answer.head, request: request, body: body)
        guard target.validationType.accepts(answer.head.statusCode) else {
            let error = await stream.refusal()
            notify(.failure(error))
            throw error
        }
        // Without the body, which would otherwise hold on to itself.
        let (head, metrics) = (answer.head, answer.metrics)
        stream.body.whenOver { [self] error in
            let response = Response(
                TransportResponse(head: head, metrics: metrics), request: request)
            notify(error.map { .failure(MoyaError(wrapping: $0, response)) } ?? .success(response))
        }
        return stream
    }
}

extension TransportResponse {
    /// The body as a stream, whatever the transport made of it.
    fileprivate func stream() throws -> ResponseBodyStream {
        switch body {
        case .data(let data): return ResponseBodyStream(data)
        case .stream(let stream): return stream
        case .file(let url):
            defer { discard() }
            return ResponseBodyStream(try Data(contentsOf: url))
        }
    }
}

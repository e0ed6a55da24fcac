import Foundation
import MoyaInternals
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way through plugins, transport and validation: the straight path that
/// callbacks and `await` share. A stub takes the place of the transport and of nothing else.
final class Flight: Sendable {
    let target: any TargetType
    let endpoint: Endpoint
    let plugins: [any PluginType]
    /// The request as the plugins left it.
    let request: URLRequest
    let body: RequestBody
    let destination: ResponseDestination

    /// Makes the request ready: adds an upload's part and lets every plugin prepare it.
    ///
    /// - Throws: ``MoyaError`` for a body that cannot be had or a request that cannot be sent.
    convenience init(
        _ urlRequest: URLRequest, target: any TargetType, endpoint: Endpoint,
        plugins: [any PluginType], destination: ResponseDestination? = nil
    ) throws(MoyaError) {
        var urlRequest = urlRequest
        let upload = try endpoint.makeUpload(for: &urlRequest)
        try self.init(
            prepared: plugins.reduce(urlRequest) { $1.prepare($0, target: target) },
            upload: upload, target: target, endpoint: endpoint, plugins: plugins,
            destination: destination)
    }

    /// Takes a request that every plugin has prepared. `destination` stands in for the task's own.
    init(
        prepared: URLRequest, upload: RequestBody? = nil, target: any TargetType,
        endpoint: Endpoint, plugins: [any PluginType], destination: ResponseDestination? = nil
    ) throws(MoyaError) {
        self.target = target
        self.endpoint = endpoint
        self.plugins = plugins
        request = prepared
        body = upload ?? prepared.httpBody.map(RequestBody.data) ?? .none
        do {
            try RequestValidation.validate(prepared)
            if prepared.httpBodyStream != nil { throw RequestError.bodyStream }
            self.destination = try destination ?? endpoint.task.delivery.makeDestination()
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Tells the plugins, and makes what the transport sends.
    func depart(progress: (@Sendable (TransferProgress) -> Void)? = nil) -> TransportRequest {
        TransportRequest(
            request, body: body, destination: destination,
            redirectPolicy: endpoint.task.redirectPolicy, credential: tellPlugins(),
            progress: progress, target: target)
    }

    /// The credential that a plugin gave.
    private func tellPlugins() -> URLCredential? {
        guard !plugins.isEmpty else { return nil }
        let outgoing = OutgoingRequest(request)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return outgoing.credential
    }

    /// What became of the exchange, for the caller.
    func land(_ outcome: Result<TransportResponse, any Error>) -> Result<Response, MoyaError> {
        let answer: TransportResponse
        switch outcome {
        case .success(let success): answer = success
        case .failure(let error): return .failure(MoyaError(wrapping: error))
        }
        let isAccepted = target.validationType.accepts(answer.head.statusCode)
        do {
            let delivered = try endpoint.task.delivery.deliver(
                answer, from: destination, isAccepted: isAccepted)
            let response = Response(delivered, request: request)
            return isAccepted
                ? .success(response)
                : .failure(.underlying(MoyaError.statusCode(response), response))
        } catch {
            let response = Response(answer.withoutFile(), request: request)
            return .failure(MoyaError(wrapping: error, response))
        }
    }

    /// Does the same. A file gets its name away from the threads that tasks share: the disk may take its time.
    func landWaiting(
        _ outcome: Result<TransportResponse, any Error>
    ) async -> Result<Response, MoyaError> {
        guard case .success(let answer) = outcome, isForFile(answer) else { return land(outcome) }
        return await DiskWork.perform { self.land(outcome) }
    }

    /// Whether what the caller gets of `answer` is in a file.
    func isForFile(_ answer: TransportResponse) -> Bool {
        if case .file = answer.body { return true }
        if case .file = destination { return true }
        return false
    }

    func notify(_ result: Result<Response, MoyaError>) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// The sample response, as a transport would give it.
    func stubbedAnswer() -> Result<TransportResponse, any Error> {
        let sample = endpoint.sampleResponseClosure()
        // A target's base URL stands in for a URL that a plugin took away.
        let url = request.url ?? target.baseURL
        return switch sample {
        case .networkResponse(let statusCode, let data):
            .success(
                TransportResponse(
                    head: ResponseHead(statusCode: statusCode, url: url), body: .data(data)))
        case .response(let response, let data):
            .success(
                TransportResponse(
                    head: ResponseHead(response, fallbackURL: url), body: .data(data)))
        case .networkError(let error): .failure(URLError(bridging: error) ?? error)
        }
    }
}

extension Endpoint {
    /// The body of an upload task, after it has added to `request` what it needs.
    func makeUpload(for request: inout URLRequest) throws(MoyaError) -> RequestBody? {
        guard case .upload(let body) = task.body else { return nil }
        do {
            return try body.makeBody(for: &request)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }
}

extension URLError {
    /// The error as a transport would throw it. Only Apple's platforms bridge it by themselves.
    fileprivate init?(bridging error: NSError) {
        // Failable on some platforms alone, so its type is spelled out.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        guard error.domain == NSURLErrorDomain, let code else { return nil }
        self.init(code, userInfo: error.userInfo)
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

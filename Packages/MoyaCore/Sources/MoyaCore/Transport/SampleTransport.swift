import Foundation

/// The transport of stubs: responds with an endpoint's sample response.
struct SampleTransport: Transport {
    let endpoint: Endpoint
    /// Delay of the response, in seconds.
    var delay: TimeInterval = 0
    var clock: any MoyaClock = .system

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.keepingDeadline { request in
            try await clock.sleep(for: delay)
            return try response(to: request)
        }
    }

    /// Returns the response, without the delay.
    func response(to request: TransportRequest) throws -> TransportResponse {
        // A plugin may have removed the URL. The target's base URL replaces it.
        guard let url = request.urlRequest.url ?? request.context.target?.baseURL else {
            throw URLError(.badURL)
        }
        let coders = request.context.coders
        switch Coders.$ofSamples.withValue(coders, operation: endpoint.sampleResponseClosure) {
        case .networkResponse(let statusCode, let data):
            return TransportResponse(
                head: ResponseHead(statusCode: statusCode, url: url), body: .data(data))
        case .response(let response, let data):
            return TransportResponse(
                head: ResponseHead(response, fallbackURL: url), body: .data(data))
        case .networkError(let error): throw URLError(bridging: error) ?? error
        }
    }
}

extension URLError {
    /// Converts `error` to the error that a transport would throw. Only Apple platforms bridge
    /// `NSError` implicitly.
    fileprivate init?(bridging error: NSError) {
        // The initializer is failable on some platforms only, so the type is explicit.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        guard error.domain == NSURLErrorDomain, let code else { return nil }
        self.init(code, userInfo: error.userInfo)
    }
}

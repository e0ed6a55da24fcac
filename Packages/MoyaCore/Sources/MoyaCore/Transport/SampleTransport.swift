import Foundation

/// Answers with an endpoint's sample response: what carries a stubbed request.
struct SampleTransport: Transport {
    let endpoint: Endpoint
    /// Seconds until the response.
    let delay: TimeInterval
    var clock: any MoyaClock = .system

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await clock.sleep(for: delay)
        // A target's base URL stands in for a URL that a plugin took away.
        guard let url = request.urlRequest.url ?? request.target?.baseURL else {
            throw URLError(.badURL)
        }
        return try response(from: url)
    }

    /// The response, without the delay.
    func response(from url: URL) throws -> TransportResponse {
        switch endpoint.sampleResponseClosure() {
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
    /// The error as a transport would throw it. Only Apple's platforms bridge it by themselves.
    fileprivate init?(bridging error: NSError) {
        // Failable on some platforms alone, so its type is spelled out.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        guard error.domain == NSURLErrorDomain, let code else { return nil }
        self.init(code, userInfo: error.userInfo)
    }
}

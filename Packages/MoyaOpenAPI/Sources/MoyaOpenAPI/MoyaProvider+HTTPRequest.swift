#if HTTPTypes
    import Foundation
    import HTTPTypes
    import MoyaCore

    extension MoyaProvider where Target == MultiTarget {
        /// Sends a request of HTTPTypes through the provider's plugins and transport, and returns
        /// its response. Cancelling the task cancels the request.
        ///
        /// ```swift
        /// let request = HTTPRequest(
        ///     method: .post, scheme: "https", authority: "example.com", path: "/users")
        /// let response = try await provider.send(request, task: .requestJSONEncodable(user))
        /// print(response.httpResponse?.status ?? "none", response.data.count)
        /// ```
        ///
        /// - Parameters:
        ///   - task: The body to send, and the destination of the response's body.
        /// - Throws: `MoyaError`. If the pseudo-header fields do not form a URL,
        ///   `MoyaError.underlying` with `URLError(.badURL)`.
        public func send(
            _ request: HTTPRequest, task: RequestTask = .requestPlain
        ) async throws -> Response {
            let url: URL
            do {
                url = try request.makeURL()
            } catch {
                throw MoyaError.underlying(error, nil)
            }
            return try await self.request(
                MultiTarget(HTTPRequestTarget(request: request, baseURL: url, task: task)))
        }
    }

    /// Target of a request that is complete already.
    private struct HTTPRequestTarget: TargetType {
        let request: HTTPRequest
        let baseURL: URL
        let task: RequestTask

        var path: String { "" }
        var method: MoyaCore.Method { MoyaCore.Method(rawValue: request.method.rawValue) }
        var headers: [String: String]? { request.headerFields.joined }
    }
#endif

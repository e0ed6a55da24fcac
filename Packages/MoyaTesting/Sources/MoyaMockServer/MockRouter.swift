import Foundation
import MoyaCore
import MoyaInternals

/// Selects the response to a request: the next enqueued response, or the response of a route.
struct MockRouter: Sendable {
    private struct Route: Sendable {
        let method: String?
        let template: [String]
        let respond: RecordingServer.Handler

        /// Returns the values of the placeholders, or `nil` if the route does not match.
        func parameters(of request: MockRequest) -> [String: String]? {
            guard method == nil || method == request.method else { return nil }
            let segments = MockRouter.segments(of: String(request.target.prefix { $0 != "?" }))
            guard segments.count == template.count else { return nil }
            var parameters: [String: String] = [:]
            for (segment, wanted) in zip(segments, template) {
                if wanted.hasPrefix("{"), wanted.hasSuffix("}") {
                    parameters[String(wanted.dropFirst().dropLast())] =
                        segment.removingPercentEncoding ?? segment
                } else if segment != wanted {
                    return nil
                }
            }
            return parameters
        }
    }

    private let state = Locked((queue: [MockResponse](), routes: [Route]()))

    func enqueue(_ responses: [MockResponse]) {
        state.withLock { $0.queue += responses }
    }

    func on(_ method: String?, _ template: String, _ respond: @escaping RecordingServer.Handler) {
        let route = Route(
            method: method, template: Self.segments(of: template), respond: respond)
        // Newest first, so that a test can replace a route of its fixture.
        state.withLock { $0.routes.insert(route, at: 0) }
    }

    var enqueuedCount: Int { state.withLock { $0.queue.count } }

    /// Takes the next enqueued response, or finds the route of `request`, or uses `fallback`.
    ///
    /// Call it before the request is recorded: when a test sees the request, its enqueued response
    /// is already taken, and later requests get later responses.
    ///
    /// - Returns: Makes the response. Routes and `fallback` are a test's code and may block.
    func responder(
        to request: MockRequest, or fallback: @escaping RecordingServer.Handler
    ) -> @Sendable () -> MockResponse {
        let (next, routes) = state.withLock { state -> (MockResponse?, [Route]) in
            guard state.queue.isEmpty else { return (state.queue.removeFirst(), []) }
            return (nil, state.routes)
        }
        if let next { return { next } }
        for route in routes {
            guard let parameters = route.parameters(of: request) else { continue }
            var request = request
            request.parameters = parameters
            return { [request] in route.respond(request) }
        }
        return { fallback(request) }
    }

    private static func segments(of path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }
}

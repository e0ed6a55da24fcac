import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension [Fault] {
    /// All predefined faults, simple faults first: a report shows the first fault that breaks a
    /// promise.
    public static var everyFault: [Fault] {
        connectionFaults + statusFaults + bodyFaults + deliveryFaults + cancellations + kills
    }

    /// Faults without a complete response head: refused and lost connections, failures of DNS and
    /// TLS, timeouts. Connections are lost, and requests time out, either before or after the
    /// server has acted.
    public static var connectionFaults: [Fault] {
        [
            .failure("connection lost before the server acted", .networkConnectionLost),
            .failure(
                "connection lost after the server acted", .networkConnectionLost, reach: .once),
            .failure("connection refused", .cannotConnectToHost),
            .failure("host not found", .cannotFindHost),
            .failure("TLS handshake failed", .secureConnectionFailed),
            Fault("timeout before the server acted") { _ in .silence },
            Fault("timeout after the server acted", reach: .once) { _ in .silence },
            .failure("head truncated", .badServerResponse, reach: .once),
        ]
    }

    /// Error statuses of servers and gateways, and a redirect loop. Statuses 500, 502 and 504 occur
    /// both before and after the server has acted.
    public static var statusFaults: [Fault] {
        [
            .status(503), .status(401, ["WWW-Authenticate": "Bearer"]), .status(403), .status(404),
            .status(409), .status(429), .status(429, ["Retry-After": "2"]), .status(500),
            .status(502), .status(504), .status(500, reach: .once), .status(502, reach: .once),
            .status(504, reach: .once), redirectLoop,
        ]
    }

    private static var redirectLoop: Fault {
        var fault = Fault("redirect loop") { exchange in
            let url = exchange.request.urlRequest.url?.absoluteString ?? "/"
            return .response(302, headers: ["Location": url])
        }
        fault.repeatsOnRedirect = true
        return fault
    }

    /// Bodies that are truncated, stalled, empty or of the wrong content. The server has acted.
    public static var bodyFaults: [Fault] {
        [
            .body("body truncated") { answer, data, _ in
                answer.cutOff(afterBytes: data.count / 2)
            },
            .body("body stalled") { answer, data, request in
                answer.cutOff(afterBytes: data.count / 2, with: .timedOut)
                    .delayed(by: Swift.max(0, request.urlRequest.timeoutInterval))
            },
            .body("body shorter than its Content-Length") { answer, data, _ in
                answer.cutOff(afterBytes: data.count)
            },
            .body("body empty") { answer, _, _ in answer.replacingBody(with: Data()) },
            .body("body not JSON") { answer, data, _ in
                answer.replacingBody(with: data.prefix(data.count / 2) + Data("\u{0}<html>".utf8))
            },
            .body("JSON of another shape") { answer, data, _ in
                guard let first = data.first, "{[".utf8.contains(first) else { return nil }
                return answer.replacingBody(with: Data(#"{"unexpected":[null]}"#.utf8))
            },
        ]
    }

    /// Slow responses, requests that are delivered twice, and a response that belongs to the
    /// previous request.
    public static var deliveryFaults: [Fault] {
        [
            .slow(by: 100),
            Fault("request delivered twice", reach: .twice) { $0.answer },
            Fault("response of the request before", reach: .once) {
                $0.previous?.statusCode == nil ? nil : $0.previous
            },
        ]
    }

    /// Cancellation of the flow's task: before the server has acted, after it has acted, and while
    /// the flow sleeps.
    public static var cancellations: [Fault] {
        [
            Fault("flow cancelled", reach: .never, effect: .cancel),
            Fault("flow cancelled after the server acted", reach: .once, effect: .cancel),
        ]
    }

    /// End of the process: before the server has acted, after it has acted, and while the flow
    /// sleeps. The flow then starts again with the files in ``ExploredNetwork/folder``.
    public static var kills: [Fault] {
        [
            Fault("process killed", reach: .never, effect: .kill),
            Fault("process killed after the server acted", reach: .once, effect: .kill),
        ]
    }
}

extension Fault {
    /// A fault that fails the exchange with `URLError(code)` in place of a response.
    public static func failure(
        _ name: String, _ code: URLError.Code, reach: Reach = .never
    ) -> Fault {
        Fault(name, reach: reach) { _ in .failure(code) }
    }

    /// A fault that answers with an empty response with this status code and these header fields.
    public static func status(
        _ code: Int, _ headers: [String: String] = [:], reach: Reach = .never
    ) -> Fault {
        var name = "status \(code)"
        if let wait = headers["Retry-After"] { name += " with Retry-After: \(wait)" }
        if reach != .never { name += " after the server acted" }
        return Fault(name, reach: reach) { _ in .response(code, headers: headers) }
    }

    /// A fault that delays the response by `factor` times the latency of an exchange.
    public static func slow(by factor: Double) -> Fault {
        Fault("response slow by a factor of \(factor.plain())", reach: .once) {
            $0.answer?.delayed(by: $0.latency * factor)
        }
    }

    fileprivate static func body(
        _ name: String,
        _ change: @escaping @Sendable (FaultReply, Data, TransportRequest) -> FaultReply?
    ) -> Fault {
        Fault(name, reach: .once) { exchange in
            // An empty body cannot be truncated or replaced.
            guard let answer = exchange.answer, let data = answer.data, !data.isEmpty else {
                return nil
            }
            return change(answer, data, exchange.request)
        }
    }
}

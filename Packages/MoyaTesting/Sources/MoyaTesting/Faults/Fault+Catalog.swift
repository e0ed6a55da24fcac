import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension [Fault] {
    /// Every fault there is a name for. Simple ones first: a report shows the first one that breaks a promise.
    public static var everyFault: [Fault] {
        connectionFaults + statusFaults + bodyFaults + deliveryFaults + cancellations + kills
    }

    /// What keeps a response from coming: refused and lost connections, failures of DNS and TLS, timeouts. Lost connections
    /// and timeouts come before the server has acted and after.
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

    /// Statuses that servers and gateways refuse with. Those of 500, 502 and 504 come after the server has acted, too.
    public static var statusFaults: [Fault] {
        [
            .status(503), .status(401, ["WWW-Authenticate": "Bearer"]), .status(403), .status(404),
            .status(409), .status(429), .status(429, ["Retry-After": "2"]), .status(500),
            .status(502),
            .status(504), .status(500, reach: .once), .status(502, reach: .once),
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

    /// Bodies that break off, stall or are not what they should be. The server has acted.
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

    /// Slow responses, requests that arrive twice, and responses that belong to the request before.
    public static var deliveryFaults: [Fault] {
        [
            .slow(by: 100),
            Fault("request delivered twice", reach: .twice) { $0.answer },
            Fault("response of the request before", reach: .once) { exchange in
                guard let previous = exchange.previous, previous.statusCode != nil else {
                    return nil
                }
                return previous
            },
        ]
    }

    /// The flow's task is cancelled: before the server has acted, after, and while the flow sleeps.
    public static var cancellations: [Fault] {
        [
            Fault("flow cancelled", reach: .never, effect: .cancel),
            Fault("flow cancelled after the server acted", reach: .once, effect: .cancel),
        ]
    }

    /// The process ends, before the server has acted, after, and while the flow sleeps. Then the flow starts again, with what
    /// is in ``ExploredNetwork/folder``.
    public static var kills: [Fault] {
        [
            Fault("process killed", reach: .never, effect: .kill),
            Fault("process killed after the server acted", reach: .once, effect: .kill),
        ]
    }
}

extension Fault {
    /// No response: the exchange fails with `URLError(code)`.
    public static func failure(
        _ name: String, _ code: URLError.Code, reach: Reach = .never
    ) -> Fault {
        Fault(name, reach: reach) { _ in .failure(code) }
    }

    /// An empty response with this status code and these header fields.
    public static func status(
        _ code: Int, _ headers: [String: String] = [:], reach: Reach = .never
    ) -> Fault {
        var name = "status \(code)"
        if let wait = headers["Retry-After"] { name += " with Retry-After: \(wait)" }
        if reach != .never { name += " after the server acted" }
        return Fault(name, reach: reach) { _ in .response(code, headers: headers) }
    }

    /// The response, after `factor` times as long as an exchange takes without a fault.
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
            // Nothing can be wrong with a body that is not there.
            guard let answer = exchange.answer, let data = answer.data, !data.isEmpty else {
                return nil
            }
            return change(answer, data, exchange.request)
        }
    }
}

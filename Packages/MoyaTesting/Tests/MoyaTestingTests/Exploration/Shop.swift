import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target of the shop.
struct ShopCall: TargetType {
    var method = MoyaCore.Method.get
    var path: String
    var json: [String: any Any & Sendable] = [:]
    var query: [String: any Any & Sendable] = [:]
    var headers: [String: String]?

    var baseURL: URL { URL(string: "https://shop.test") ?? URL(fileURLWithPath: "/") }
    var validationType: ValidationType { .successCodes }
    var task: RequestTask {
        if !query.isEmpty {
            return .requestParameters(parameters: query, encoding: URLEncoding.queryString)
        }
        return json.isEmpty
            ? .requestPlain : .requestParameters(parameters: json, encoding: JSONEncoding.default)
    }

    static func get(_ path: String, as user: String? = nil) -> ShopCall {
        ShopCall(path: path, headers: user.map { ["Authorization": "Bearer \($0)"] })
    }

    static func order(key: String? = nil) -> ShopCall {
        ShopCall(
            method: .post, path: "/orders", json: ["item": 1],
            headers: key.map { ["Idempotency-Key": $0] })
    }
}

/// A server that counts orders. It ignores an order with a known idempotency key.
final class ShopServer: Transport {
    private struct State {
        var orderCount = 0
        var keys: Set<String> = []
        var accessToken = 0
    }

    private let state = Locked(State())
    let size: Int

    init(size: Int = 0) { self.size = size }

    var orderCount: Int { state.withLock(\.orderCount) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.urlRequest.url?.path ?? ""
        let user = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "nobody"
        switch path {
        case "/orders" where request.urlRequest.httpMethod == "POST":
            let key = request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key")
            state.withLock { state in
                guard key.map({ state.keys.insert($0).inserted }) ?? true else { return }
                state.orderCount += 1
            }
            return try .stub(status: 201, json: ["order": 1], for: request)
        case "/token":
            // A refresh token is valid for one refresh.
            let sent = request.urlRequest.url?.query ?? ""
            let number = state.withLock { state -> Int? in
                guard sent == "refresh=\(state.accessToken)" else { return nil }
                state.accessToken += 1
                return state.accessToken
            }
            guard let number else { return try .stub(status: 400, for: request) }
            return try .stub(json: ["token": number], for: request)
        case "/private":
            let isGood = state.withLock { user == "Bearer \($0.accessToken)" && $0.accessToken > 0 }
            return try .stub(status: isGood ? 200 : 401, json: ["ok": true], for: request)
        case "/file":
            return try .stub(data: Data(repeating: 65, count: size), for: request)
        default:
            let body = #"{"path":"\#(path)","user":"\#(user)"}"#
            return try .stub(data: Data(body.utf8), for: request)
        }
    }
}

/// A retry that repeats every request, even an unsafe one. For flows with defects.
struct BlindRetry: Transport {
    let next: any Transport
    var count = 3
    var pause: TimeInterval = 1
    let clock: TestClock

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        for _ in 1..<count {
            if let response = try? await next.send(request), response.head.statusCode < 500 {
                return response
            }
            try await clock.sleep(for: pause)
        }
        return try await next.send(request)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredNetwork {
    func request(_ call: ShopCall) async throws -> Response {
        try await MoyaProvider<ShopCall>(transport: self).request(call)
    }
}

extension ExplorationReport {
    func finding(_ promise: String) -> Finding? { findings.first { $0.promise == promise } }
}

/// Explores `flow` with a ``ShopServer``, without failing the test.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
func findings<Value: Sendable>(
    _ faults: [Fault] = .everyFault, depth: Int = 1, size: Int = 0,
    options: ExplorationOptions = ExplorationOptions(),
    flow: @escaping @Sendable (ExploredNetwork) async throws -> Value,
    holding promises: @escaping @Sendable (ExploredRun<ShopServer, Value>) throws -> Void
) async throws -> ExplorationReport {
    try await explore(
        faults, depth: depth, options: options, server: { ShopServer(size: size) },
        reporter: IssueReporter { _, _ in }, flow: flow, holding: promises)
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaLayers
import MoyaTestSupport
import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request to an ``ExplorationServer``.
struct ExplorationCall: TargetType, AccessTokenAuthorizable {
    var method = MoyaCore.Method.get
    var path: String
    var json: [String: any Any & Sendable] = [:]
    var headers: [String: String]?
    var timeoutInterval: TimeInterval? = 30
    var authorizationType: AuthorizationType? = .bearer

    var baseURL: URL { url("https://api.test") }
    var validationType: ValidationType { .successCodes }
    var task: RequestTask {
        json.isEmpty
            ? .requestPlain : .requestParameters(parameters: json, encoding: JSONEncoding.default)
    }

    static func get(_ path: String) -> ExplorationCall { ExplorationCall(path: path) }
    static let order = ExplorationCall(method: .post, path: "/orders", json: ["item": 1])
}

/// A server with rotating tokens, orders with idempotency keys, and cacheable responses.
final class ExplorationServer: Transport {
    private struct State {
        var orderCount = 0
        var keys: Set<String> = []
        var refreshCount = 0
    }

    private let state = Locked(State())

    var orderCount: Int { state.withLock(\.orderCount) }
    var refreshCount: Int { state.withLock(\.refreshCount) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.urlRequest.url?.path ?? ""
        let user = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "nobody"
        switch path {
        case "/orders":
            let key = request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key")
            state.withLock { state in
                guard key.map({ state.keys.insert($0).inserted }) ?? true else { return }
                state.orderCount += 1
            }
            return try .test(
                request, 201, ["Content-Type": "application/json"], body: #"{"order":1}"#)
        case "/token":
            let number = state.withLock { state in
                state.refreshCount += 1
                return state.refreshCount
            }
            return try .test(
                request, body: #"{"access_token":"s3cret-\#(number)","expires_in":3600}"#)
        case "/private" where user == "nobody" || user.hasSuffix("old"):
            return try .test(request, 401, ["WWW-Authenticate": "Bearer"])
        case "/cached":
            let fields = [
                "Cache-Control": "max-age=1, stale-while-revalidate=30", "ETag": "\"1\"",
                "Vary": "Authorization", "Content-Type": "application/json",
            ]
            if request.urlRequest.value(forHTTPHeaderField: "If-None-Match") == "\"1\"" {
                return try .test(request, 304, fields)
            }
            return try .test(request, 200, fields, body: #"{"path":"/cached","user":"\#(user)"}"#)
        default:
            let body = #"{"path":"\#(path)","user":"\#(user)"}"#
            return try .test(request, 200, ["Content-Type": "application/json"], body: body)
        }
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that came to an ``ExploredNetwork``, and what became of it.
public struct ExploredExchange: Sendable {
    /// Counted from 0, in the order in which requests came.
    public let number: Int
    /// Which start of the process sent it, counted from 0.
    public let life: Int
    /// The request. Its body is in memory, unless it is in a file.
    public let request: TransportRequest
    /// When it came, in seconds of virtual time since the run began.
    public let start: TimeInterval
    /// How many notes the flow had made when it sent the request.
    let earlierNotes: Int
    /// When it was over: with the last byte where its body is a stream. `nil` where it never was.
    public internal(set) var end: TimeInterval?
    /// What happened to it. `nil` where nothing did.
    public internal(set) var fault: Fault?
    /// How often the server acted on it.
    public internal(set) var actionCount = 0
    /// When the server acted on it first.
    public internal(set) var actionTime: TimeInterval?
    /// What the flow got. `nil` where it was cancelled, killed or never answered.
    public internal(set) var reply: FaultReply?

    /// Method and path: `POST /orders`.
    public var name: String { request.name }

    var method: HTTPMethod { request.method }

    /// Whether sending it again may do something twice.
    var isUnsafeToRepeat: Bool {
        !method.isIdempotent
            && request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") == nil
    }

    /// The body, or its place where it is in a file.
    var bodyText: String {
        switch request.body {
        case .none, .stream: ""
        case .data(let data): data.signature
        case .file(let url): url.path
        }
    }

    /// What makes two requests the same.
    var requestSignature: String {
        "\(method) \(request.urlRequest.url?.absoluteString ?? "") \(bodyText)"
    }

    /// Everything that the flow and the server can tell this exchange by.
    var signature: String {
        let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.key):\($0.value)" }
        return "\(life) \(requestSignature) \(fields) \(actionCount) \(reply?.signature ?? "none")"
    }
}

extension TransportRequest {
    var method: HTTPMethod { HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET") }

    /// Method and path: `POST /orders`.
    var name: String { "\(method) \(urlRequest.url?.path ?? "")" }

    /// This request with its body in memory where it comes in pieces.
    func withWholeBody() async throws -> TransportRequest {
        guard case .stream(let stream) = body else { return self }
        var data = Data()
        for try await chunk in try stream.makeChunks() { data.append(chunk) }
        var request = self
        request.body = .data(data)
        return request
    }
}

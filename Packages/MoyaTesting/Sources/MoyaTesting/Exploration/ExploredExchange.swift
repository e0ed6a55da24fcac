import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that a flow sent on an ``ExploredNetwork``, and its result.
public struct ExploredExchange: Sendable {
    /// Number of the request in the run, from 0.
    let number: Int
    /// Number of the process start that sent the request, from 0.
    let life: Int
    /// The request. Its body is in memory, or in a file.
    public let request: TransportRequest
    /// Virtual seconds from the start of the run to the request.
    public let start: TimeInterval
    /// Number of notes that the flow had made before it sent the request.
    let earlierNotes: Int
    /// Virtual seconds from the start of the run to the end of the exchange, which for a streamed
    /// body is its last byte. `nil` if the exchange did not end.
    public internal(set) var end: TimeInterval?
    /// The fault of this exchange, or `nil`.
    public internal(set) var fault: Fault?
    /// Number of times that the server acted on the request.
    var actionCount = 0
    /// The server's own answer, which a fault may have kept from the flow or replaced. `nil` if the
    /// request did not reach the server.
    var answer: FaultReply?
    /// Virtual seconds from the start of the run to the server's first action.
    var actionTime: TimeInterval?
    /// The reply that the flow got. `nil` if the request was cancelled, killed or not answered.
    public internal(set) var reply: FaultReply?

    /// Method and path: `POST /orders`.
    public var name: String { request.name }

    var method: HTTPMethod { request.method }

    /// Whether repeating the request may repeat its effect: the method is not idempotent and there
    /// is no `Idempotency-Key`.
    var isUnsafeToRepeat: Bool {
        !method.isIdempotent
            && request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") == nil
    }

    /// The body as text, or its path where it is in a file.
    var bodyText: String {
        switch request.body {
        case .none, .stream: ""
        case .data(let data): data.signature
        case .file(let url): url.path
        }
    }

    /// Whether the server has executed the request. An answer of the server's own with a status of
    /// 400 to 499 says that it has not.
    var hasExecuted: Bool {
        guard let status = answer?.statusCode else { return actionCount > 0 }
        return actionCount > 0 && !(400..<500).contains(status)
    }

    /// Text that identifies the request.
    var requestSignature: String {
        "\(method) \(request.urlRequest.url?.absoluteString ?? "") \(bodyText)"
    }

    /// Text that identifies the request, without random identifiers: two requests with equal text
    /// count as repeats. Contains the whole body, so that an identifier in it is recognized.
    var repeatSignature: String {
        guard case .data(let data) = request.body else {
            return RunSignature.make([requestSignature])
        }
        let url = request.urlRequest.url?.absoluteString ?? ""
        return RunSignature.make(["\(method) \(url)", data.sortedText])
    }

    /// Text that identifies the exchange: two exchanges with equal text look the same to the flow
    /// and the server.
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

    /// Returns this request with a streamed body read into memory.
    func withWholeBody() async throws -> TransportRequest {
        guard case .stream(let stream) = body else { return self }
        var data = Data()
        for try await chunk in try stream.makeChunks() { data.append(chunk) }
        var request = self
        request.body = .data(data)
        return request
    }
}

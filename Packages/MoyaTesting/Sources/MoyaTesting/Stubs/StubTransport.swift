import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A transport that answers by itself and remembers what it was asked.
///
/// ```swift
/// let transport = StubTransport { request in .stub(status: 200, json: ["id": 1], for: request) }
/// let provider = MoyaProvider<GitHub>(transport: transport)
/// ```
public final class StubTransport: Transport {
    /// Answers one request.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    private let handler: Handler
    private let received = Locked<[TransportRequest]>([])

    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// The requests sent so far.
    public var requests: [TransportRequest] { received.withLock { $0 } }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        received.withLock { $0.append(request) }
        return try await handler(request)
    }
}

extension TransportResponse {
    /// A response in memory to `request`.
    public static func stub(
        status: Int = 200, headers: [HeaderField] = [], data: Data = Data(),
        for request: TransportRequest
    ) throws -> TransportResponse {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        return TransportResponse(
            head: ResponseHead(statusCode: status, url: url, fields: headers), body: .data(data))
    }

    /// A response with `json`, encoded, to `request`.
    public static func stub(
        status: Int = 200, json: some Encodable, for request: TransportRequest
    ) throws -> TransportResponse {
        try .stub(
            status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            data: JSONEncoder().encode(json), for: request)
    }
}

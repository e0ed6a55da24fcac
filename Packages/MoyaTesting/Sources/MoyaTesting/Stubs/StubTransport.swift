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

    /// Answers every request with `handler`.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// Answers the first request with the first stub and so on. The last one stays.
    ///
    /// ```swift
    /// let transport = StubTransport(.failure(.timedOut), .response(503), .response(200))
    /// ```
    public convenience init(_ first: Stub, _ others: Stub...) {
        let stubs = Locked(StubSequence([first] + others))
        self.init { request in
            guard let stub = stubs.withLock({ $0.next() }) else { throw URLError(.unknown) }
            return try await stub.answer(request)
        }
    }

    /// The requests sent so far.
    public var requests: [TransportRequest] { received.withLock { $0 } }

    /// Records the request and answers it.
    ///
    /// - Throws: What the handler or the stub says.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        received.withLock { $0.append(request) }
        return try await handler(request)
    }
}

extension TransportResponse {
    /// A response in memory to `request`.
    ///
    /// - Throws: `URLError(.badURL)` for a request without a URL.
    public static func stub(
        status: Int = 200, headers: [HeaderField] = [], data: Data = Data(),
        for request: TransportRequest
    ) throws -> TransportResponse {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        return TransportResponse(
            head: ResponseHead(statusCode: status, url: url, fields: headers), body: .data(data))
    }

    /// A response with `json`, encoded, to `request`.
    ///
    /// - Throws: What encoding throws; `URLError(.badURL)` for a request without a URL.
    public static func stub(
        status: Int = 200, json: some Encodable, for request: TransportRequest
    ) throws -> TransportResponse {
        try .stub(
            status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            data: JSONEncoder().encode(json), for: request)
    }
}

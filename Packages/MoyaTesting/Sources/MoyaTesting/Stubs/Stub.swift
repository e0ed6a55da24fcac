import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answer to a stubbed request.
public struct Stub: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, headers: [String: String], data: Data)
        case urlResponse(HTTPURLResponse, Data)
        case sampleData(status: Int)
        case failure(any Error)
    }

    var outcome: Outcome
    var delay: TimeInterval = 0

    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) -> Stub {
        Stub(outcome: .response(status: status, headers: headers, data: data))
    }

    /// A response with `value` as JSON.
    ///
    /// - Throws: What encoding throws.
    public static func json(
        _ value: some Encodable, status: Int = 200, encoder: JSONEncoder = JSONEncoder()
    ) throws -> Stub {
        .response(
            status, headers: ["Content-Type": "application/json"], data: try encoder.encode(value))
    }

    /// The target's own sample data.
    public static func sampleData(status: Int = 200) -> Stub {
        Stub(outcome: .sampleData(status: status))
    }

    /// The same answer as an ``Endpoint`` gives with `sample`.
    public static func sampleResponse(_ sample: EndpointSampleResponse) -> Stub {
        switch sample {
        case .networkResponse(let status, let data): return .response(status, data: data)
        case .response(let response, let data): return Stub(outcome: .urlResponse(response, data))
        case .networkError(let error):
            // Only Apple's platforms make a URLError of it by themselves, and only there every code is one.
            let code: URLError.Code? = URLError.Code(rawValue: error.code)
            guard error.domain == NSURLErrorDomain, let code else { return .failure(error) }
            return .failure(URLError(code, userInfo: error.userInfo))
        }
    }

    /// No response: the exchange fails with `error`.
    public static func failure(_ error: any Error) -> Stub {
        Stub(outcome: .failure(error))
    }

    /// No response: the exchange fails as a network does, with `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> Stub {
        .failure(URLError(code))
    }

    /// The same answer, `seconds` later.
    public func delayed(by seconds: TimeInterval) -> Stub {
        var stub = self
        stub.delay = seconds
        return stub
    }
}

extension Stub {
    /// Answers `request`, once the delay is over.
    func answer(_ request: TransportRequest) async throws -> TransportResponse {
        if delay > 0 { try await Task.sleep(nanoseconds: UInt64(min(delay, 1e6) * 1e9)) }
        try Task.checkCancellation()
        switch outcome {
        case .response(let status, let headers, let data):
            let fields = headers.sorted { $0.key < $1.key }.map { HeaderField(name: $0, value: $1) }
            return try .stub(status: status, headers: fields, data: data, for: request)
        case .urlResponse(let response, let data):
            guard let url = request.urlRequest.url else { throw URLError(.badURL) }
            return TransportResponse(
                head: ResponseHead(response, fallbackURL: url), body: .data(data))
        case .sampleData(let status):
            return try .stub(
                status: status, data: request.target?.sampleData ?? Data(), for: request)
        case .failure(let error): throw error
        }
    }
}

/// Stubs that are used one after the other. The last one stays.
struct StubSequence: Sendable {
    private var stubs: ArraySlice<Stub>

    init(_ stubs: [Stub]) {
        self.stubs = stubs[...]
    }

    mutating func next() -> Stub? {
        stubs.count > 1 ? stubs.popFirst() : stubs.first
    }
}

/// No stub stands for a request that was made.
public struct MissingStubError: Error, LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
}

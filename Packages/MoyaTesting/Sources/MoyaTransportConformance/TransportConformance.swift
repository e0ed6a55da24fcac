import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs
import MoyaMockServer

/// What every transport has to do, as cases that run against a real server on 127.0.0.1.
///
/// The server sends each response over HTTP/1.1 without TLS in random pieces, from single bytes to the whole, with pauses of a
/// few milliseconds. Responses over TLS and HTTP/2 are not cut. Header fields of HTTP/1.1 are folded, repeated and in another
/// order where that means the same. A failure tells the seed. Set the environment variable `MOYA_SEED` to it, and
/// each case sends the same pieces again.
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(to behaviour: TransportConformance.Case) async throws {
///     try await behaviour.run(on: MyTransport())
/// }
/// ```
public enum TransportConformance {
    /// One behaviour.
    public struct Case: Sendable, CustomStringConvertible {
        /// The behaviour, as a sentence.
        public let name: String
        let body: @Sendable (any Transport) async throws -> Void
        /// How long it may take, in seconds, also on a machine that has much else to do.
        let limit: UInt64

        init(
            _ name: String, within limit: UInt64 = 60,
            _ body: @escaping @Sendable (any Transport) async throws -> Void
        ) {
            self.name = name
            self.limit = limit
            self.body = body
        }

        /// A behaviour towards a server that answers with `handler`.
        init(
            _ name: String, within limit: UInt64 = 60,
            answering handler: @escaping MockServer.Handler = MockServer.httpbin,
            whenSent body: @escaping @Sendable (any Transport, MockServer) async throws -> Void
        ) {
            self.init(name, within: limit) { transport in
                try await MockServer.serving(handler) { try await body(transport, $0) }
            }
        }

        public var description: String { name }

        /// Shows the behaviour on `transport`.
        ///
        /// - Parameter foldingFields: `false` for a transport whose library cannot read a header field on more than one line,
        ///   as user agents must (RFC 9112, section 5.2).
        /// - Throws: ``Failure`` where the transport behaves otherwise, takes too long, or throws where it had to succeed;
        ///   `CancellationError`; an error that names `MOYA_SEED` if that is no number.
        public func run(on transport: any Transport, foldingFields: Bool = true) async throws {
            _ = try SeededGenerator.namedSeed.get()
            // Not a task group, which would wait for a transport that is deaf to cancellation.
            let race = Race()
            let running = Task {
                do {
                    try await CaseDelivery.$current.withValue(
                        CaseDelivery.of(name, foldsFields: foldingFields)
                    ) {
                        try await body(transport)
                    }
                    race.finish(.success(()))
                } catch let failure as Failure {
                    race.finish(.failure(failure))
                } catch {
                    race.finish(.failure(Failure("no error", error)))
                }
            }
            let limit = Task {
                try await Task.sleep(nanoseconds: self.limit * 1_000_000_000)
                race.finish(
                    .failure(Failure("it to be over within \(self.limit) seconds", "no end")))
            }
            defer {
                running.cancel()
                limit.cancel()
            }
            try await race.result()
        }
    }

    /// A transport that behaves otherwise.
    public struct Failure: Error, CustomStringConvertible {
        /// What was expected, what came instead, and the seed of the pieces in which the responses were sent.
        public let description: String

        init(_ expected: String, _ actual: Any) {
            description =
                "Expected \(expected), got \(actual). To send the same pieces again: "
                + "\(SeededGenerator.variable)=\(SeededGenerator.processSeed)"
        }
    }

    /// Every behaviour.
    public static let cases: [Case] =
        requestCases + headerCases + responseCases + fileCases + streamCases + progressCases
        + redirectCases
        + credentialCases + failureCases + cancellationCases + connectionCases
}

/// The first result of several.
private final class Race: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private let state = Locked(State())

    /// Later results count for nothing.
    func finish(_ result: Result<Void, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(with: result)
    }

    func result() async throws {
        try await suspend { _, continuation in
            state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
        } giveUp: { _ in
            state.withLock { $0.waiter.take() }
        }
    }
}

func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: String) throws {
    guard actual == expected else {
        throw TransportConformance.Failure("\(what) to be \(expected)", actual)
    }
}

func expect(_ condition: Bool, _ what: String, _ actual: Any = "something else") throws {
    guard condition else { throw TransportConformance.Failure(what, actual) }
}

/// Fails unless `body` throws a `URLError` with one of `codes`.
func expectError(
    _ codes: URLError.Code..., from body: () async throws -> TransportResponse
) async throws {
    let response: TransportResponse
    do {
        response = try await body()
    } catch let error as URLError where codes.contains(error.code) {
        return
    } catch {
        throw TransportConformance.Failure("URLError \(codes.map(\.rawValue))", error)
    }
    throw TransportConformance.Failure(
        "URLError \(codes.map(\.rawValue))", "status \(response.head.statusCode)")
}

func expectFailure(from body: () async throws -> TransportResponse) async throws {
    let response: TransportResponse
    do {
        response = try await body()
    } catch {
        return
    }
    throw TransportConformance.Failure("an error", "status \(response.head.statusCode)")
}

/// How the servers of the running case send their responses.
enum CaseDelivery {
    @TaskLocal static var current: MockDelivery?

    /// The delivery of the case of this name, by the seed of the process. Each case has its own, whichever cases run beside it.
    static func of(_ name: String, foldsFields: Bool) -> MockDelivery {
        MockDelivery(name, seed: SeededGenerator.processSeed, foldsFields: foldsFields)
    }
}

extension MockServer {
    /// A server for the time of `body`.
    static func serving<Result: Sendable>(
        _ handler: @escaping Handler = MockServer.httpbin,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let server = try MockServer(delivery: CaseDelivery.current, handler: handler)
        defer { server.stop() }
        return try await body(server)
    }

    func request(
        _ method: String = "GET", _ path: String, headers: [String: String] = [:],
        body: RequestBody? = nil, destination: ResponseDestination = .memory()
    ) throws -> TransportRequest {
        guard let url = URL(string: url.absoluteString + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.timeoutInterval = 600
        return TransportRequest(request, body: body, destination: destination)
    }
}

extension MockResponse {
    /// `text` in place of a response, and then the end of the connection.
    static func raw(_ text: String) -> MockResponse { .raw(Data(text.utf8)) }
}

extension Transport {
    func send(
        to server: MockServer, _ method: String, _ path: String, headers: [String: String] = [:],
        body: RequestBody? = nil, destination: ResponseDestination = .memory()
    ) async throws -> TransportResponse {
        try await send(
            server.request(method, path, headers: headers, body: body, destination: destination))
    }
}

extension TransportResponse {
    /// The body in memory.
    func bytes() throws -> Data {
        guard case .data(let data) = body else {
            throw TransportConformance.Failure("the body to be in memory", body)
        }
        return data
    }

    func text() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

    /// What an echoing route said.
    func echo() throws -> Echo {
        try JSONDecoder().decode(Echo.self, from: bytes())
    }
}

/// A folder for the time of `body`.
func withTemporaryFolder<Result: Sendable>(
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let result = try await body(folder)
        try FileManager.default.removeItem(at: folder)
        return result
    } catch {
        try FileManager.default.removeItem(at: folder)
        throw error
    }
}

/// Bytes that are all different from their neighbours: each the low byte of its index.
func pattern(_ count: Int) -> Data {
    Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) })
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs
import MoyaMockServer

/// Behaviours required of every transport, as test cases against a real server on 127.0.0.1.
///
/// The server sends each response in random pieces, from single bytes to the whole, with pauses of
/// a few milliseconds. Over TLS it cuts the encrypted bytes. Header fields of HTTP/1.1 are folded,
/// repeated and reordered where the meaning stays the same. A failure contains the seed. Set the
/// environment variable `MOYA_SEED` to it to send the same pieces again.
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
        /// The behaviour in words.
        public let name: String
        let body: @Sendable (any Transport) async throws -> Void
        /// Time limit in seconds. Generous, for busy machines.
        let limit: UInt64

        init(
            _ name: String, within limit: UInt64 = 60,
            _ body: @escaping @Sendable (any Transport) async throws -> Void
        ) {
            self.name = name
            self.limit = limit
            self.body = body
        }

        /// A case with a server that answers with `handler`.
        init(
            _ name: String, within limit: UInt64 = 60,
            answering handler: @escaping MockServer.Handler = MockServer.httpbin,
            whenSent body: @escaping @Sendable (any Transport, MockServer) async throws -> Void
        ) {
            self.init(name, within: limit) { transport in
                try await MockServer.serving(handler) { try await body(transport, $0) }
            }
        }

        /// The ``name``.
        public var description: String { name }

        /// Checks the behaviour on `transport`.
        ///
        /// - Parameters:
        ///   - transport: The transport under test.
        ///   - foldingFields: Whether the server may fold header fields. `false` for a transport
        ///     whose library cannot read a header field on more than one line, although user agents
        ///     must (RFC 9112, section 5.2).
        /// - Throws: ``Failure`` if the transport behaves differently, exceeds the time limit, or
        ///   throws where it should succeed; `CancellationError`; an error that names `MOYA_SEED`
        ///   if it is not a valid seed.
        public func run(on transport: any Transport, foldingFields: Bool = true) async throws {
            _ = try SeededGenerator.namedSeed.get()
            // Not a task group: it would wait for a transport that ignores cancellation.
            let end = Promise<Result<Void, any Error>>()
            let running = Task {
                do {
                    try await CaseDelivery.$current.withValue(
                        CaseDelivery.of(name, foldsFields: foldingFields)
                    ) {
                        try await body(transport)
                    }
                    end.fulfill(.success(()))
                } catch let failure as Failure {
                    end.fulfill(.failure(failure))
                } catch {
                    end.fulfill(.failure(Failure("no error", error)))
                }
            }
            let limit = Task {
                try await Task.sleep(nanoseconds: self.limit * 1_000_000_000)
                end.fulfill(
                    .failure(Failure("it to be over within \(self.limit) seconds", "no end")))
            }
            defer {
                running.cancel()
                limit.cancel()
            }
            try await end.value { end.fulfill(.failure(CancellationError())) }.get()
        }
    }

    /// A transport does not show the required behaviour.
    public struct Failure: Error, CustomStringConvertible {
        /// The expected behaviour, the actual behaviour, and the seed of the response pieces.
        public let description: String

        init(_ expected: String, _ actual: Any) {
            description =
                "Expected \(expected), got \(actual). To send the same pieces again: "
                + "\(SeededGenerator.variable)=\(SeededGenerator.processSeed)"
        }
    }

    /// All behaviours over HTTP/1.1 without TLS, except ``loadCases``.
    public static let cases: [Case] =
        requestCases + headerCases + responseCases + fileCases + streamCases + progressCases
        + redirectCases + credentialCases + challengeCases + failureCases + deadlineCases
        + cancellationCases + connectionCases + keptConnectionCases
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
    guard let response = try? await body() else { return }
    throw TransportConformance.Failure("an error", "status \(response.head.statusCode)")
}

/// Delivery of responses for the running case.
enum CaseDelivery {
    @TaskLocal static var current: MockDelivery?

    /// Returns the delivery of the case `name`, with the seed of the process. Concurrent cases do
    /// not affect each other's random numbers.
    static func of(_ name: String, foldsFields: Bool) -> MockDelivery {
        MockDelivery(name, seed: SeededGenerator.processSeed, foldsFields: foldsFields)
    }
}

extension MockServer {
    /// Calls `body` with a new server and stops the server afterwards.
    static func serving<Result: Sendable>(
        _ handler: @escaping Handler = MockServer.httpbin,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let server = try MockServer(delivery: CaseDelivery.current, handler: handler)
        defer { server.stop() }
        return try await body(server)
    }
}

extension RecordingServer {
    func request(
        _ method: String, _ path: String, headers: [String: String] = [:],
        body: RequestBody? = nil, destination: ResponseDestination = .memory(),
        timeout: TimeInterval = 600
    ) throws -> TransportRequest {
        guard let url = URL(string: url.absoluteString + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.timeoutInterval = timeout
        return TransportRequest(request, body: body, destination: destination)
    }
}

extension MockResponse {
    /// `text` in place of a response. The connection closes afterwards.
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
    /// Returns the body, which must be in memory.
    func bytes() throws -> Data {
        guard case .data(let data) = body else {
            throw TransportConformance.Failure("the body to be in memory", body)
        }
        return data
    }

    func text() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

    /// Decodes the response of an echoing route.
    func echo() throws -> Echo {
        try JSONDecoder().decode(Echo.self, from: bytes())
    }
}

/// Calls `body` with a new temporary folder and removes the folder afterwards.
func withTemporaryFolder<Result: Sendable>(
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(RandomID.hexadecimal())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Errors are ignored: the system cleans its temporary folder.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Returns `count` bytes. Each is the low byte of its index, so neighbouring bytes differ.
func pattern(_ count: Int) -> Data {
    // Doubled, because a closure for each byte takes most of a debug build's time.
    var data = Data(0...255)
    while data.count < count { data += data }
    return data.prefix(count)
}

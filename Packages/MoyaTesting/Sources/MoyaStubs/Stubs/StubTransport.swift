import Foundation
import MoyaCore

/// A transport that answers with stubs and records requests. Used below a real provider, so that
/// the test covers plugins and layers as well.
///
/// ```swift
/// let transport = StubTransport()
/// transport.on(.get, "/users/{id}").respond(try .json(["login": "ashfurrow"]))
/// transport.on(.method(.post) && .jsonBody(["name": "Ash"])).respond(.response(201))
/// let provider = MoyaProvider<GitHub>(transport: transport.retrying(.exponential()))
/// ```
///
/// A request without a stub fails with ``MissingStubError``, which names the nearest stub.
///
/// Unlike a network transport it does not follow redirects: a 3xx answer is the response, whatever
/// `TransportRequest.redirectPolicy` says. To test a redirected request, stub the final response.
public final class StubTransport: Transport {
    /// Answers one request.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    let registry: StubRegistry
    let expectations: StubExpectations
    /// Source location for the issues of the verification on `deinit`. `nil` disables it.
    private let verification: SourcePlace?

    /// Creates a transport whose stubs are added with ``on(_:_:fileID:filePath:line:column:)``.
    ///
    /// - Parameters:
    ///   - clock: Clock for delays and timeouts. `nil` uses real time.
    ///   - reporter: Receives expectations that are not met.
    ///   - verifiesOnDeinit: Whether unused stubs, and requests without a stub, are reported when
    ///     the transport is released.
    public init(
        clock: TestClock? = nil, reporter: IssueReporter = .standard,
        verifiesOnDeinit: Bool = false, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        registry = StubRegistry(clock: clock, hint: Self.hint)
        expectations = StubExpectations(registry: registry, reporter: reporter)
        verification =
            verifiesOnDeinit
            ? SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column) : nil
    }

    deinit {
        if let verification { expectations.verify(at: verification) }
    }

    /// Creates a transport that answers requests without a stub with `handler`.
    public init(_ handler: @escaping Handler) {
        registry = StubRegistry(clock: nil, leavesBodies: true, hint: Self.hint, fallback: handler)
        expectations = StubExpectations(registry: registry, reporter: .standard)
        verification = nil
    }

    /// Creates a transport that answers the first request with the first stub and so on. The last
    /// stub answers all further requests.
    ///
    /// ```swift
    /// let transport = StubTransport(.failure(.timedOut), .response(503), .response(200))
    /// ```
    public convenience init(
        _ first: Stub, _ others: Stub..., clock: TestClock? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(clock: clock)
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        rule(.any, at: place).add([first] + others, repeating: .last)
    }

    /// All requests so far, in order.
    public var requests: [TransportRequest] { registry.requests }

    /// Requests that failed because they had no stub.
    public var unexpectedRequests: [TransportRequest] { registry.unexpectedRequests }

    /// Selects requests by method and path. Add their answers with `respond`. Later rules take
    /// precedence over earlier rules.
    ///
    /// - Parameter path: Path template: `/users/{id}`, or `/files/{path*}` for one or more
    ///   segments.
    public func on(
        _ method: HTTPMethod, _ path: String, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<ReceivedRequest> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule(.method(method) && .path(path), at: place)
    }

    /// Selects requests with `matcher`. Add their answers with `respond`. Later rules take
    /// precedence over earlier rules.
    public func on(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<ReceivedRequest> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule(matcher, at: place)
    }

    /// Removes all stubs and all recorded requests.
    public func reset() { registry.reset() }

    /// Records the request and answers it.
    ///
    /// - Throws: The error of the handler or of the stub; ``MissingStubError``.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await registry.send(request)
    }

    private func rule(
        _ matcher: RequestMatcher, at place: SourcePlace
    ) -> StubRule<ReceivedRequest> {
        StubRule(
            registry: registry, name: matcher.description, place: place, misses: matcher.misses,
            asked: { ReceivedRequest(request: $0, parameters: matcher.parameters($0)) })
    }

    @Sendable private static func hint(_ request: TransportRequest) -> StubHint {
        let path = request.urlRequest.url?.path ?? "/"
        return StubHint(
            name: request.summary,
            fix: "Add one: transport.on(\(request.requestMethod.sourceText), \"\(path)\")"
                + ".respond(.response(200)).")
    }
}

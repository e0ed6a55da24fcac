import Foundation
import MoyaCore

/// A transport that answers by itself and remembers what it was asked. Beneath a real provider, so that plugins and
/// layers are under test too.
///
/// ```swift
/// let transport = StubTransport()
/// transport.on(.get, "/users/{id}").respond(try .json(["login": "ashfurrow"]))
/// transport.on(.method(.post) && .jsonBody(["name": "Ash"])).respond(.response(201))
/// let provider = MoyaProvider<GitHub>(transport: transport.retrying(.exponential()))
/// ```
///
/// A request that no stub stands for fails with ``MissingStubError``, which says what comes nearest.
///
/// Unlike a transport of a network it follows no redirects: the answer with the status 3xx is the response, whatever
/// `TransportRequest.redirectPolicy` says. Answer with what would come after it.
public final class StubTransport: Transport {
    /// Answers one request.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    let registry: StubRegistry
    let expectations: StubExpectations
    /// Where what is wrong in the end is reported. `nil` is nowhere.
    private let verification: SourcePlace?

    /// Answers requests with the stubs that ``on(_:_:fileID:filePath:line:column:)`` adds.
    ///
    /// - Parameters:
    ///   - clock: The time that delays go by. `nil` is real time.
    ///   - reporter: Takes expectations that are not met.
    ///   - verifiesOnDeinit: Whether stubs that were not used and requests that had none are reported when it is
    ///     released.
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

    /// Answers what no stub stands for with `handler`.
    public init(_ handler: @escaping Handler) {
        registry = StubRegistry(clock: nil, leavesBodies: true, hint: Self.hint, fallback: handler)
        expectations = StubExpectations(registry: registry, reporter: .standard)
        verification = nil
    }

    /// Answers the first request with the first stub and so on. The last one stays.
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

    init(_ registry: StubRegistry, _ expectations: StubExpectations) {
        self.registry = registry
        self.expectations = expectations
        verification = nil
    }

    /// The requests sent so far, in order.
    public var requests: [TransportRequest] { registry.requests }

    /// Those of the requests that no stub stood for.
    public var unexpectedRequests: [TransportRequest] { registry.unexpectedRequests }

    /// Picks requests by method and path. Say with `respond` how they are answered; stubs added later are asked
    /// first.
    ///
    /// - Parameter path: A template: `/users/{id}`, or `/files/{path*}` for whatever comes after.
    public func on(
        _ method: HTTPMethod, _ path: String, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<ReceivedRequest> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule(.method(method) && .path(path), at: place)
    }

    /// Picks requests with `matcher`. Say with `respond` how they are answered; stubs added later are asked first.
    public func on(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<ReceivedRequest> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule(matcher, at: place)
    }

    /// Forgets every stub and every recorded request.
    public func reset() { registry.reset() }

    /// Records the request and answers it.
    ///
    /// - Throws: What the handler or the stub says; ``MissingStubError``.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await registry.answer(request)
    }

    private func rule(
        _ matcher: RequestMatcher, at place: SourcePlace
    ) -> StubRule<ReceivedRequest> {
        StubRule(
            registry: registry, name: matcher.description, place: place, misses: matcher.misses,
            asked: { ReceivedRequest($0, parameters: matcher.parameters($0)) })
    }

    @Sendable private static func hint(_ request: TransportRequest) -> StubHint {
        let path = request.urlRequest.url?.path ?? "/"
        return StubHint(
            name: request.summary,
            fix: "Add one: transport.on(\(request.requestMethod.sourceText), \"\(path)\")"
                + ".respond(.response(200)).")
    }
}

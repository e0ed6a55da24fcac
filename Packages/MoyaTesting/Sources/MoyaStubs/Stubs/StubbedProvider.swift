import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A provider for tests: it answers targets with the stubs you give it, and records what was asked.
///
/// Requests go the whole way through endpoint, encoding, plugins and validation; a stub takes the
/// place of the network alone.
///
/// ```swift
/// let provider = StubbedProvider<GitHub>()
/// provider.stub(.userProfile("ashfurrow"), with: try .json(["login": "ashfurrow"]))
/// provider.on(.zen).respond(.failure(.timedOut), .sampleData())  // fails first, then answers
/// provider.on(any: GitHub.userRepositories).respond { asked in try .json(["for \(asked.target)"]) }
/// ```
///
/// A target without a stub is answered with its endpoint's sample response, which is its sample data
/// unless you say otherwise, or fails with ``MissingStubError`` where you chose ``UnstubbedBehavior/fail``.
public final class StubbedProvider<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {
    // Safe to share: what is added to MoyaProvider are constants that guard their own state.

    /// What becomes of a target without a stub.
    public enum UnstubbedBehavior: Sendable {
        /// It is answered with its endpoint's sample response: status 200 and its sample data, unless
        /// `endpointClosure` says otherwise.
        case answerWithSampleData
        /// It fails with ``MissingStubError``, which says what is stubbed and what comes nearest.
        case fail
    }

    let registry: StubRegistry
    let expectations: StubExpectations
    /// Where what is wrong in the end is reported. `nil` is nowhere.
    private let verification: SourcePlace?

    /// A provider without stubs.
    ///
    /// - Parameters:
    ///   - unstubbed: What becomes of a target without a stub.
    ///   - clock: The time that delays go by. `nil` is real time.
    ///   - reporter: Takes expectations that are not met. The test that is running, unless you say otherwise.
    ///   - verifiesOnDeinit: Whether stubs that were not used and requests that had none are reported when the
    ///     provider is released.
    @preconcurrency
    public init(
        unstubbed: UnstubbedBehavior = .answerWithSampleData,
        endpointClosure: @escaping EndpointClosure = MoyaProvider<Target>.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider<Target>.defaultRequestMapping,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        coders: Coders = .json,
        clock: TestClock? = nil,
        reporter: IssueReporter = .standard,
        verifiesOnDeinit: Bool = false,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        registry = StubRegistry(clock: clock, hint: Self.hint) { request in
            guard unstubbed == .answerWithSampleData, let target = request.target as? Target else {
                return nil
            }
            let sample = endpointClosure(target).sampleResponseClosure()
            return try await StubPlayer(request: request, clock: clock).play(
                .sampleResponse(sample))
        }
        expectations = StubExpectations(registry: registry, reporter: reporter)
        verification =
            verifiesOnDeinit
            ? SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column) : nil
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            callbackQueue: callbackQueue, transport: StubTransport(registry, expectations),
            plugins: plugins, trackInflights: trackInflights, coders: coders)
        LeakScope.current?.watch(self)
    }

    deinit {
        if let verification { expectations.verify(at: verification) }
    }

    /// Forgets every stub and every recorded request.
    public func reset() { registry.reset() }

    @Sendable private static func hint(_ request: TransportRequest) -> StubHint {
        guard let target = request.target as? Target else {
            return StubHint(name: request.summary, fix: "The request carries no \(Target.self).")
        }
        return StubHint(
            name: "\(target): \(request.summary)",
            fix:
                "Add one: provider.on(.\(target)).respond(…), or provider.on(where: …) for a target "
                + "that cannot be compared. StubbedProvider(unstubbed: .answerWithSampleData) "
                + "answers what has no stub.")
    }
}

extension StubbedProvider: LeakWatched {
    var leaks: [String] {
        unansweredEndpoints.map { "\($0.method) \($0.url) still in flight" }
    }
}

import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A provider for tests. Answers targets with stubs, and records requests.
///
/// Requests pass through endpoint, encoding, plugins and validation. Only the network is replaced.
///
/// ```swift
/// let provider = StubbedProvider<GitHub>()
/// provider.stub(.userProfile("ashfurrow"), with: try .json(["login": "ashfurrow"]))
/// provider.on(.zen).respond(.failure(.timedOut), .sampleData())  // fails once, then answers
/// provider.on(any: GitHub.userRepositories).respond { request in
///     try .json(["for \(request.target)"])
/// }
/// ```
///
/// A target without a stub gets its endpoint's sample response, which is its sample data by
/// default. With ``UnstubbedBehavior/fail`` it fails with ``MissingStubError`` instead.
public final class StubbedProvider<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {
    // Safe: the properties added to MoyaProvider are constants that guard their own state.

    /// Behaviour for a target without a stub.
    public enum UnstubbedBehavior: Sendable {
        /// Answers with the endpoint's sample response: status 200 and the target's sample data,
        /// unless `endpointClosure` sets another response.
        case respondWithSampleData
        /// Fails with ``MissingStubError``, which lists the stubs and names the nearest.
        case fail
    }

    let registry: StubRegistry
    let expectations: StubExpectations
    /// Source location for the issues of the verification on `deinit`. `nil` disables it.
    private let verification: SourcePlace?

    /// Creates a provider without stubs. Parameters not listed here are those of `MoyaProvider`.
    ///
    /// - Parameters:
    ///   - unstubbed: Behaviour for a target without a stub.
    ///   - clock: Clock for delays and timeouts. `nil` uses real time.
    ///   - reporter: Receives expectations that are not met. Fails the running test by default,
    ///     where MoyaTesting is linked.
    ///   - verifiesOnDeinit: Whether unused stubs, and requests without a stub, are reported when
    ///     the provider is released.
    @preconcurrency
    public init(
        unstubbed: UnstubbedBehavior = .respondWithSampleData,
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
            guard unstubbed == .respondWithSampleData, let target = request.target(as: Target.self)
            else {
                return nil
            }
            let sample = Coders.$ofSamples.withValue(coders) {
                endpointClosure(target).sampleResponseClosure()
            }
            return try await StubPlayer(request: request, clock: clock, body: request.body)
                .play(.sampleResponse(sample))
        }
        expectations = StubExpectations(registry: registry, reporter: reporter)
        verification =
            verifiesOnDeinit
            ? SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column) : nil
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            callbackQueue: callbackQueue, transport: registry, plugins: plugins,
            trackInflights: trackInflights, coders: coders)
        LeakScope.current?.watch(self)
    }

    deinit {
        if let verification { expectations.verify(at: verification) }
    }

    /// Removes all stubs and all recorded requests.
    public func reset() { registry.reset() }

    @Sendable private static func hint(_ request: TransportRequest) -> StubHint {
        guard let target = request.target(as: Target.self) else {
            return StubHint(name: request.summary, fix: "The request carries no \(Target.self).")
        }
        return StubHint(
            name: "\(target): \(request.summary)",
            fix:
                "Add one: provider.on(.\(target)).respond(…), or provider.on(where: …) for a target "
                + "that cannot be compared. StubbedProvider(unstubbed: .respondWithSampleData) "
                + "answers what has no stub.")
    }
}

extension StubbedProvider: LeakWatched {
    var leaks: [String] {
        unansweredEndpoints.map { "\($0.method) \($0.url) still in flight" }
    }
}

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
/// provider.stub(.zen, with: .failure(.timedOut), .sampleData())  // fails first, then answers
/// ```
///
/// A target nobody stubbed is answered with its sample data, or fails with ``MissingStubError`` where
/// you chose ``UnstubbedBehavior/fail``.
public final class StubbedProvider<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {
    // Safe to share: what is added to MoyaProvider is a constant that guards its own state.

    /// What becomes of a target that nobody stubbed.
    public enum UnstubbedBehavior: Sendable {
        /// It is answered with status 200 and its sample data.
        case answerWithSampleData
        /// It fails with ``MissingStubError``, which names it.
        case fail
    }

    /// One request that was made.
    public struct Recorded: Sendable {
        /// What was asked for.
        public let target: Target
        /// What would have been sent, as the plugins left it.
        public let request: TransportRequest

        /// The request's body, where it is in memory.
        public var body: Data? {
            if case .data(let data) = request.body { data } else { nil }
        }
    }

    private let book: StubBook<Target>

    @preconcurrency
    public init(
        unstubbed: UnstubbedBehavior = .answerWithSampleData,
        endpointClosure: @escaping EndpointClosure = MoyaProvider<Target>.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider<Target>.defaultRequestMapping,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        let book = StubBook<Target>(failsUnstubbed: unstubbed == .fail)
        self.book = book
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            callbackQueue: callbackQueue, transport: StubTransport(book.answer), plugins: plugins,
            trackInflights: trackInflights)
    }

    /// The requests made so far, in order.
    public var requests: [Recorded] { book.requests }

    /// Answers every target that `isMatch` picks with `stubs`, one after the other. The last one stays.
    /// Stubs added later are asked first.
    @preconcurrency
    public func stub(
        where isMatch: @escaping @Sendable (Target) -> Bool, with stubs: Stub...
    ) {
        book.add(isMatch, stubs)
    }

    /// Forgets every stub and every recorded request.
    public func reset() { book.reset() }

    func add(_ stubs: [Stub], where isMatch: @escaping @Sendable (Target) -> Bool) {
        book.add(isMatch, stubs)
    }
}

extension StubbedProvider where Target: Equatable {
    /// Answers `target` with `stubs`, one after the other. The last one stays.
    public func stub(_ target: Target, with stubs: Stub...) {
        add(stubs, where: { $0 == target })
    }

    /// How many times `target` was requested.
    public func requestCount(of target: Target) -> Int {
        requests.filter { $0.target == target }.count
    }
}

/// The stubs of a provider and what was asked of it.
private final class StubBook<Target: TargetType>: Sendable {
    private struct Rule {
        let isMatch: @Sendable (Target) -> Bool
        var stubs: [Stub]
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [StubbedProvider<Target>.Recorded] = []

        mutating func takeStub(for target: Target) -> Stub? {
            guard let index = rules.lastIndex(where: { $0.isMatch(target) }) else { return nil }
            return rules[index].stubs.count > 1
                ? rules[index].stubs.removeFirst() : rules[index].stubs.first
        }
    }

    private let failsUnstubbed: Bool
    private let state = Locked(State())

    init(failsUnstubbed: Bool) {
        self.failsUnstubbed = failsUnstubbed
    }

    var requests: [StubbedProvider<Target>.Recorded] { state.withLock { $0.requests } }

    func add(_ isMatch: @escaping @Sendable (Target) -> Bool, _ stubs: [Stub]) {
        state.withLock { $0.rules.append(Rule(isMatch: isMatch, stubs: stubs)) }
    }

    func reset() { state.withLock { $0 = State() } }

    @Sendable func answer(_ request: TransportRequest) async throws -> TransportResponse {
        guard let target = request.target as? Target else {
            throw MissingStubError(description: "The request carries no \(Target.self).")
        }
        let stub = state.withLock { state in
            state.requests.append(.init(target: target, request: request))
            return state.takeStub(for: target)
        }
        guard let stub = stub ?? (failsUnstubbed ? nil : .sampleData()) else {
            throw MissingStubError(
                description:
                    "No stub stands for \(target). Add one: provider.stub(.\(target), with: …).")
        }
        if stub.delay > 0 { try await Task.sleep(nanoseconds: UInt64(min(stub.delay, 1e6) * 1e9)) }
        try Task.checkCancellation()
        switch stub.outcome {
        case .response(let status, let headers, let data):
            let fields = headers.sorted { $0.key < $1.key }.map { HeaderField(name: $0, value: $1) }
            return try .stub(status: status, headers: fields, data: data, for: request)
        case .sampleData(let status):
            return try .stub(status: status, data: target.sampleData, for: request)
        case .failure(let error): throw error
        }
    }
}

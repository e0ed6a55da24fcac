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
/// A target nobody stubbed is answered with its endpoint's sample response, which is its sample data
/// unless you say otherwise, or fails with ``MissingStubError`` where you chose ``UnstubbedBehavior/fail``.
public final class StubbedProvider<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {
    // Safe to share: what is added to MoyaProvider is a constant that guards its own state.

    /// What becomes of a target that nobody stubbed.
    public enum UnstubbedBehavior: Sendable {
        /// It is answered with its endpoint's sample response: status 200 and its sample data, unless
        /// `endpointClosure` says otherwise.
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
        let book = StubBook<Target> { target in
            switch unstubbed {
            case .answerWithSampleData:
                .sampleResponse(endpointClosure(target).sampleResponseClosure())
            case .fail:
                .failure(
                    MissingStubError(
                        description: "No stub stands for \(target). "
                            + "Add one: provider.stub(.\(target), with: …)."))
            }
        }
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

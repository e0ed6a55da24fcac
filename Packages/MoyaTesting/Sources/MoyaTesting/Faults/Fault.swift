import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One way in which a request can go wrong.
///
/// ```swift
/// let maintenance = Fault("maintenance page") { _ in
///     .response(200, headers: ["Content-Type": "text/html"], data: Data("<h1>Back soon</h1>".utf8))
/// }
/// try await explore(.everyFault + [maintenance.only(for: .path("/orders"))]) { … } holding: { … }
/// ```
public struct Fault: Sendable, CustomStringConvertible {
    /// How often the server acts on the request.
    public enum Reach: Int, Sendable {
        /// The request does not reach the server, or the server refuses it.
        case never
        /// The server acts, whatever the client hears of it.
        case once
        /// The network delivers the request twice.
        case twice
    }

    enum Effect: Sendable {
        case reply(@Sendable (FaultedExchange) -> FaultReply?)
        /// The task of the flow is cancelled.
        case cancel
        /// The process ends, and starts again with what is on its disk.
        case kill
    }

    /// What happens, in a few words. Reports show it.
    public let name: String
    /// How often the server acts on the request.
    public let reach: Reach
    let effect: Effect
    /// Whether redirects that the client follows meet the same reply.
    var repeatsOnRedirect = false
    private var matcher: RequestMatcher?

    init(_ name: String, reach: Reach, effect: Effect) {
        self.name = name
        self.reach = reach
        self.effect = effect
    }

    /// A fault of your own.
    ///
    /// - Parameters:
    ///   - reply: Makes what the flow gets. `nil` where the fault cannot happen to this request.
    public init(
        _ name: String, reach: Reach = .never,
        reply: @escaping @Sendable (FaultedExchange) -> FaultReply?
    ) {
        self.init(name, reach: reach, effect: .reply(reply))
    }

    /// The same fault, for the requests alone that `matcher` picks.
    public func only(for matcher: RequestMatcher) -> Fault {
        var fault = self
        fault.matcher = self.matcher.map { $0 && matcher } ?? matcher
        return fault
    }

    var isCancellation: Bool {
        if case .cancel = effect { true } else { false }
    }

    /// Whether it can happen to `request`. Cancelling and killing happen between requests too, where `request` is `nil`.
    func applies(to request: TransportRequest?) -> Bool {
        guard let request else { return happensBetweenRequests && matcher == nil }
        return matcher?.matches(request) ?? true
    }

    private var happensBetweenRequests: Bool {
        switch effect {
        case .reply: false
        case .cancel, .kill: reach == .never
        }
    }

    public var description: String { name }
}

/// A request that a ``Fault`` happens to.
public struct FaultedExchange: Sendable {
    /// The request. Its body is in memory, unless it is in a file.
    public let request: TransportRequest
    /// What the server has answered. `nil` where it has not acted.
    public let answer: FaultReply?
    /// What the flow got for the request before.
    public let previous: FaultReply?
    /// Seconds that an exchange takes without a fault.
    public let latency: TimeInterval
}

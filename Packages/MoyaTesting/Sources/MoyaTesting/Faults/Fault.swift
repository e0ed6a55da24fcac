import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One way in which a request can fail.
///
/// ```swift
/// let maintenance = Fault("maintenance page") { _ in
///     let page = Data("<h1>Back soon</h1>".utf8)
///     return .response(200, headers: ["Content-Type": "text/html"], data: page)
/// }
/// try await explore(.everyFault + [maintenance.only(for: .path("/orders"))]) { … } holding: { … }
/// ```
public struct Fault: Sendable, CustomStringConvertible {
    /// Number of times that the server acts on the request.
    public enum Reach: Int, Sendable {
        /// The request does not reach the server, or the server refuses it.
        case never
        /// The server acts, even if the client receives no response.
        case once
        /// The network delivers the request twice.
        case twice
    }

    enum Effect: Sendable {
        case reply(@Sendable (FaultedExchange) -> FaultReply?)
        /// Cancels the flow's task.
        case cancel
        /// Ends the process. It starts again with the files on its disk.
        case kill
    }

    /// Description in a few words, shown in reports.
    public let name: String
    /// Number of times that the server acts on the request.
    public let reach: Reach
    let effect: Effect
    /// Whether redirects that the client follows get the same reply.
    var repeatsOnRedirect = false
    private var matcher: RequestMatcher?

    init(_ name: String, reach: Reach, effect: Effect) {
        self.name = name
        self.reach = reach
        self.effect = effect
    }

    /// A custom fault.
    ///
    /// - Parameters:
    ///   - name: Description in a few words, shown in reports.
    ///   - reach: Number of times that the server acts on the request.
    ///   - reply: Makes the reply that the flow gets. Returns `nil` if the fault does not apply to
    ///     the request.
    public init(
        _ name: String, reach: Reach = .never,
        reply: @escaping @Sendable (FaultedExchange) -> FaultReply?
    ) {
        self.init(name, reach: reach, effect: .reply(reply))
    }

    /// Returns this fault, limited to the requests that `matcher` matches.
    public func only(for matcher: RequestMatcher) -> Fault {
        var fault = self
        fault.matcher = self.matcher.map { $0 && matcher } ?? matcher
        return fault
    }

    var isCancellation: Bool {
        if case .cancel = effect { true } else { false }
    }

    /// Whether the fault applies to `request`, or, where `request` is `nil`, to a pause of the
    /// flow. Cancellations and kills apply to pauses.
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

    /// The fault's ``name``.
    public var description: String { name }
}

/// A request to which a ``Fault`` applies.
public struct FaultedExchange: Sendable {
    /// The request. Its body is in memory, or in a file.
    public let request: TransportRequest
    /// The server's answer. `nil` if the server has not acted.
    public let answer: FaultReply?
    /// The reply to the previous request of the flow. `nil` if there is no previous reply.
    public let previous: FaultReply?
    /// Seconds that an exchange takes without a fault.
    public let latency: TimeInterval
}

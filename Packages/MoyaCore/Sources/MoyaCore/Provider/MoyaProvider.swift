import Foundation
import MoyaInternals

/// Anything that makes requests for targets. What the reactive modules build upon.
@preconcurrency
public protocol MoyaProviderType: AnyObject, Sendable {
    /// What requests are made for.
    associatedtype Target: TargetType

    /// Makes a request. See ``MoyaProvider/request(_:callbackQueue:progress:completion:)``.
    @preconcurrency
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable
}

/// Turns a typed target into a response: the door to this library.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport())
/// let zen = try await provider.request(.zen).mapString()
/// ```
///
/// A provider is safe to share between threads. Keep it for as long as its requests run: those that
/// wait for a completion are cancelled when the provider is released.
open class MoyaProvider<Target: TargetType>: MoyaProviderType, @unchecked Sendable {
    // Safe to share: every stored property is a constant of a Sendable type. A subclass that
    // adds state of its own has to guard it.

    /// Makes an endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint

    /// Takes the request to send, or the reason why there is none.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void

    /// Makes the request of an endpoint, now or later. Must call its second argument once.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// Decides whether a request is stubbed.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior

    /// Makes an endpoint of a target.
    public let endpointClosure: EndpointClosure
    /// Makes the request of an endpoint.
    public let requestClosure: RequestClosure
    /// Decides whether a request is stubbed.
    public let stubClosure: StubClosure
    /// Carries the requests that are not stubbed.
    public let transport: any Transport
    /// Watch and change requests and results, in this order.
    public let plugins: [any PluginType]
    /// Whether equal requests made while one is in flight wait for its response.
    ///
    /// Requests are compared as the plugins left them, so that each is made and prepared, and requests with different
    /// tokens are sent each. One that a plugin gave a credential to in `willSend` shares its answer with nobody. What a
    /// layer of the transport adds is not seen: where one puts tokens in, give each user a provider of their own.
    public let trackInflights: Bool
    /// Decode responses and encode bodies: see ``Coders``.
    public let coders: Coders

    let callbackQueue: DispatchQueue?
    /// Whether this is a subclass, which may override the request with a completion.
    let isSubclass: Bool
    let inflights = Inflights()
    let pendingRequests = PendingRequest.Registry([:])

    /// A provider.
    ///
    /// - Parameters:
    ///   - endpointClosure: Makes an endpoint of a target.
    ///   - requestClosure: Makes the request of an endpoint, now or later.
    ///   - stubClosure: Decides whether a request is stubbed. Nothing is unless you say so.
    ///   - callbackQueue: Where completions and progress arrive. `nil` is the main queue.
    ///   - transport: Carries the requests that are not stubbed.
    ///   - plugins: Watch and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests made while one is in flight wait for its response
    ///     instead of being sent again.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        transport: any Transport,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.transport = transport
        self.plugins = plugins
        self.trackInflights = trackInflights
        isSubclass = type(of: self) != MoyaProvider.self
        coders = .json
    }

    /// A provider with coders of its own.
    ///
    /// - Parameters:
    ///   - endpointClosure: Makes an endpoint of a target.
    ///   - requestClosure: Makes the request of an endpoint, now or later.
    ///   - stubClosure: Decides whether a request is stubbed. Nothing is unless you say so.
    ///   - callbackQueue: Where completions and progress arrive. `nil` is the main queue.
    ///   - transport: Carries the requests that are not stubbed.
    ///   - plugins: Watch and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests made while one is in flight wait for its response
    ///     instead of being sent again.
    ///   - coders: Decode responses and encode bodies.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        transport: any Transport,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        coders: Coders
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.transport = transport
        self.plugins = plugins
        self.trackInflights = trackInflights
        self.coders = coders
        isSubclass = type(of: self) != MoyaProvider.self
    }

    deinit {
        for pending in pendingRequests.withLock({ Array($0.values) }) { pending.request.cancel() }
    }

    /// The completions that wait for each request in flight. Empty unless ``trackInflights`` is set.
    ///
    /// A request is in flight once its request closure has answered and it is sent, or stubbed, and others may join it.
    open var inflightRequests: [Endpoint: [Completion]] {
        // Outside the lock: endpoints are compared by what they send, which runs encodings of anybody's.
        let inFlight = inflights.inFlight.map { ($0.key.context.endpoint, $0.receivers) }
        return Dictionary(inFlight, uniquingKeysWith: +)
    }

    /// What has been asked for and not been answered, from the beginning. Empty unless ``trackInflights`` is set.
    @_spi(MoyaInternals)
    public var unansweredEndpoints: [Endpoint] {
        trackInflights ? pendingRequests.withLock { $0.values.map(\.endpoint) } : []
    }

    /// The endpoint of `target`, as ``endpointClosure`` makes it, with the encoder that its body needs.
    open func endpoint(_ target: Target) -> Endpoint {
        endpointClosure(target).encoding(with: coders, for: target)
    }

    /// Makes a request and hands its result to `completion`, once.
    ///
    /// - Parameters:
    ///   - callbackQueue: Where `progress` and `completion` are called. `nil` means the provider's
    ///     own, or else the main queue. A program without a running main run loop (a command-line
    ///     tool, for example) has to name one, or use `request(_:)` with `await`.
    ///   - progress: Called as bytes move, and with the response when it is there. A request that joins another one
    ///     in flight gets the last of these calls alone.
    ///   - completion: Called with the response or the error. Cancelling the token, or releasing the
    ///     provider, makes it `NSURLErrorCancelled` (-999).
    /// - Returns: What cancels the request.
    @preconcurrency
    @discardableResult
    open func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        requestNormal(
            target, callbackQueue: callbackQueue ?? self.callbackQueue, progress: progress,
            completion: completion)
    }

    /// Makes a request and waits for its response. Cancelling the task cancels the request.
    ///
    /// Goes the same way as a request with a completion, without its detours over queues. Of a subclass it calls the request with
    /// a completion, on the provider's queue or a global one, so that an override is heard here as well.
    /// ``progress(of:)`` tells how far a request has come.
    ///
    /// - Throws: ``MoyaError``. `NSURLErrorCancelled` (-999) inside ``MoyaError/underlying(_:_:)``
    ///   when the task is cancelled.
    open func request(_ target: Target) async throws -> Response {
        try await response(to: target)
    }

    /// Answers a request with its endpoint's sample response. Called for each request that is stubbed, with a completion
    /// and with `await`.
    ///
    /// An override calls ``notifyPluginsOfImpendingStub(for:target:)``, and uses the request it returns to make the answer
    /// with ``createStubFunction(_:forTarget:withCompletion:endpoint:plugins:request:)``.
    @available(
        *, deprecated, message: "Give the provider a Transport that answers in your own way."
    )
    @preconcurrency
    @discardableResult
    open func stubRequest(
        _ target: Target, request: URLRequest, callbackQueue: DispatchQueue?,
        completion: @escaping Completion, endpoint: Endpoint, stubBehavior: StubBehavior
    ) -> CancellableToken {
        sendStub(
            target, request, on: callbackQueue ?? self.callbackQueue, endpoint, stubBehavior,
            completion: completion)
    }
}

extension MoyaProvider {
    /// The endpoint that says what `target` says, with status 200 and the target's sample data
    /// as its sample response.
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL.text(of: target),
            sampleResponseClosure: { .networkResponse(200, target.sampleData) },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers,
            timeoutInterval: target.timeoutInterval,
            cachePolicy: target.cachePolicy
        )
    }

    /// Makes the endpoint's request at once.
    public final class func defaultRequestMapping(
        for endpoint: Endpoint, closure: RequestResultClosure
    ) {
        do {
            closure(.success(try endpoint.urlRequest()))
        } catch {
            closure(.failure(MoyaError(wrapping: error)))
        }
    }

    /// Sends every request.
    @Sendable
    public final class func neverStub(_: Target) -> StubBehavior { .never }

    /// Stubs every request, at once.
    @Sendable
    public final class func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Stubs every request, after `seconds`: see ``StubBehavior/delayed(seconds:)``.
    public final class func delayedStub(_ seconds: TimeInterval) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}

// Combine, for the names that the sources use: developer.apple.com/documentation/combine/NAME. All
// of them are available from macOS 10.15 and iOS 13 on, below what the manifests require.

/// …/publisher
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S)
    where Self.Failure == S.Failure, Self.Output == S.Input
}

/// …/subscriber
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: any Subscription)
    func receive(_ input: Self.Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Self.Failure>)
}

/// …/cancellable
public protocol Cancellable {
    func cancel()
}

/// …/subscription
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

/// …/combineidentifier
public struct CombineIdentifier: Hashable, Sendable {}

/// …/customcombineidentifierconvertible
public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { fatalError() }
}

/// …/subscribers
public enum Subscribers {
    /// …/subscribers/demand
    public struct Demand: Hashable, Sendable {
        public static let unlimited = Demand()
        public static let none = Demand()
        public static func max(_ value: Int) -> Demand { Demand() }
        public var max: Int? { nil }
    }

    /// …/subscribers/completion
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

/// …/anypublisher
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    public func receive<S: Subscriber>(subscriber: S)
    where Output == S.Input, Failure == S.Failure {}
}

/// …/publishers
public enum Publishers {
    /// The publisher of each operator here. Each has its own on Apple's platforms.
    public struct StandIn<Upstream: Publisher, Output, Failure: Error>: Publisher {
        public func receive<S: Subscriber>(subscriber: S)
        where Output == S.Input, Failure == S.Failure {}
    }
}

extension Publisher {
    /// …/publisher/erasetoanypublisher()
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
    /// …/publisher/compactmap(_:)
    public func compactMap<T>(
        _ transform: @escaping (Output) -> T?
    ) -> Publishers.StandIn<Self, T, Failure> { fatalError() }
    /// …/publisher/filter(_:)
    public func filter(
        _ isIncluded: @escaping (Output) -> Bool
    ) -> Publishers.StandIn<Self, Output, Failure> { fatalError() }
    /// …/publisher/map(_:)
    public func map<T>(
        _ transform: @escaping (Output) -> T
    ) -> Publishers.StandIn<Self, T, Failure> { fatalError() }
    /// …/publisher/map(_:)
    public func map<T>(
        _ keyPath: KeyPath<Output, T>
    ) -> Publishers.StandIn<Self, T, Failure> { fatalError() }
    /// …/publisher/trymap(_:)
    public func tryMap<T>(
        _ transform: @escaping (Output) throws -> T
    ) -> Publishers.StandIn<Self, T, any Error> { fatalError() }
    /// …/publisher/maperror(_:)
    public func mapError<E: Error>(
        _ transform: @escaping (Failure) -> E
    ) -> Publishers.StandIn<Self, Output, E> { fatalError() }
}

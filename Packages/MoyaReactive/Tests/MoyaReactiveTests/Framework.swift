import Foundation
import MoyaCore
import MoyaReactiveTestSupport
import Testing

/// A reactive framework, behind the interface of the shared tests.
protocol Framework: Sendable, CustomTestStringConvertible {
    /// The events that a subscriber receives after it has cancelled.
    var endsAfterCancel: [String] { get }

    /// The types of streams that have the operators on responses.
    var streamTypes: [StreamType] { get }

    func response(to target: Service, from provider: Provider) -> any ResponseStream
    func response(
        to target: Service, from provider: Provider, on queue: DispatchQueue
    ) -> any ResponseStream
    func progress(of target: Service, from provider: Provider) -> any ProgressStream
    func progress(
        of target: Service, from provider: Provider, on queue: DispatchQueue
    ) -> any ProgressStream
}

/// The frameworks of this build.
let frameworks: [any Framework] = {
    var frameworks: [any Framework] = []
    #if canImport(Combine) || OpenCombine
        frameworks.append(CombineFramework())
    #endif
    #if ReactiveSwift
        frameworks.append(ReactiveSwiftFramework())
    #endif
    #if RxSwift
        frameworks.append(RxSwiftFramework())
    #endif
    return frameworks
}()

/// A framework's type of stream that has the operators on responses.
struct StreamType: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns a stream that delivers a response at once.
    let stream: @Sendable (Response) -> any ResponseStream

    init(_ name: String, stream: @escaping @Sendable (Response) -> any ResponseStream) {
        testDescription = name
        self.stream = stream
    }

    func callAsFunction(_ response: Response) -> any ResponseStream { stream(response) }
    func callAsFunction(_ body: String) -> any ResponseStream { stream(Response(body)) }
    func callAsFunction(_ status: Int) -> any ResponseStream {
        stream(Response("", status: status))
    }
}

/// A stream of responses. The `filter` methods are the library's. The other methods call the
/// library's operators with exactly the given arguments, so that default arguments are tested too.
protocol ResponseStream {
    associatedtype Filtered: ResponseStream

    var events: EventStream<Response> { get }

    func filter<Codes: RangeExpression>(statusCodes: Codes) -> Filtered where Codes.Bound == Int
    func filter(statusCode: Int) -> Filtered
    func filterSuccessfulStatusCodes() -> Filtered
    func filterSuccessfulStatusAndRedirectCodes() -> Filtered

    func json<Parsed: Sendable>(_ read: @escaping (Any) -> Parsed) -> EventStream<Parsed>
    func json<Parsed: Sendable>(
        failsOnEmptyData: Bool, _ read: @escaping (Any) -> Parsed
    ) -> EventStream<Parsed>
    func string() -> EventStream<String>
    func string(atKeyPath keyPath: String) -> EventStream<String>
    func object<Object: DecodableValue>(_ type: Object.Type) -> EventStream<Object>
    func decode<Object: DecodableValue>(
        _ type: Object.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder,
        failsOnEmptyData: Bool
    ) -> EventStream<Object>
    #if !canImport(UIKit) && !canImport(AppKit)
        /// Calls a `mapImage()` that the tests declare, as an app with an image decoder does.
        func image() -> EventStream<Data>
    #endif
}

typealias Provider = MoyaProvider<Service>
typealias DecodableValue = Decodable & Sendable

extension ResponseStream {
    /// Passes every argument to the library's `map`.
    func object<Object: DecodableValue>(
        _ type: Object.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) -> EventStream<Object> {
        decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }
}

/// A stream of progress.
protocol ProgressStream {
    associatedtype Responses: ResponseStream

    var events: EventStream<ProgressResponse> { get }
    /// A stream of the first value only.
    var firstEvent: EventStream<ProgressResponse> { get }
    /// The fractions of `filterProgress()`.
    var fractions: EventStream<Double> { get }

    func filterCompleted() -> Responses
}

/// A stream of any framework, as a closure that subscribes.
struct EventStream<Value: Sendable> {
    /// Subscribes a log, and returns a closure that cancels the subscription.
    let subscribe: (EventLog<Value>) -> () -> Void

    /// Subscribes, and returns the log once the stream has ended.
    func log(mark: QueueMark? = nil) async -> EventLog<Value> {
        let log = EventLog<Value>(mark: mark)
        let cancel = subscribe(log)
        await log.waitForEnd()
        cancel()
        return log
    }
}

extension EventStream where Value: Equatable {
    /// The value or error that the stream delivers before subscribing returns.
    var outcome: Outcome<Value> { outcome { $0 } }
}

extension EventStream<Response> {
    /// The status code of the response that the stream delivers before subscribing returns.
    var status: Outcome<Int> { outcome(\.statusCode) }
}

extension EventStream {
    private func outcome<Output: Equatable & Sendable>(_ read: (Value) -> Output) -> Outcome<Output>
    {
        let log = EventLog<Value>()
        subscribe(log)()
        return Outcome(values: log.values.map(read), ends: log.ends)
    }
}

import Foundation
import MoyaCore
import MoyaReactiveTestSupport

/// A subscription to a request whose response the transport holds back.
struct HeldRequest<Value: Sendable> {
    let transport = HeldTransport()
    let log = EventLog<Value>()
    /// Cancels the subscription.
    let cancel: () -> Void
    /// Retained: streams do not, and a provider that is released cancels its requests.
    private let provider: Provider
    private let queue = DispatchQueue(label: "events")
    private let traffic = Traffic()

    /// Subscribes to the stream that `stream` makes from a provider.
    init(_ stream: (Provider) -> EventStream<Value>) {
        provider = Provider(callbackQueue: queue, transport: transport, plugins: [traffic])
        cancel = stream(provider).subscribe(log)
    }

    /// Waits until the request has ended and its events have been delivered.
    func waitForLastEvent() async { await traffic.waitForResult(on: queue) }
}

import Foundation
import MoyaCore
import MoyaReactiveTestSupport

/// A subscription to a request whose response the transport withholds.
struct HeldRequest<Value: Sendable> {
    let transport = HeldTransport()
    let log = EventLog<Value>()
    /// Cancels the subscription.
    let cancel: () -> Void
    /// Retained, because streams do not retain their provider, and a released provider cancels its
    /// requests.
    private let provider: Provider
    private let queue = DispatchQueue(label: "events")
    private let traffic = Traffic()

    /// Subscribes to the stream that `stream` returns for a provider.
    init(_ stream: (Provider) -> EventStream<Value>) {
        provider = Provider(callbackQueue: queue, transport: transport, plugins: [traffic])
        cancel = stream(provider).subscribe(log)
    }

    /// Waits until the request has ended and its events have been delivered.
    func waitForLastEvent() async { await traffic.waitForResult(on: queue) }
}

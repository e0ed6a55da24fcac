import Foundation

/// Records the events of a subscriber. Thread-safe.
public final class EventLog<Value: Sendable>: Sendable {
    private struct Heard: Sendable {
        var values: [Value] = []
        var ends: [String] = []
        var wereOnQueue: [Bool] = []
    }

    private let heard = Watched(Heard())
    private let mark: QueueMark?

    /// Creates a log. With `mark` it records for each event whether it arrived on the marked queue.
    public init(mark: QueueMark? = nil) {
        self.mark = mark
    }

    /// The values received.
    public var values: [Value] { heard.value.values }
    /// The ends received: "finished", or the kind of the error. More than one end is an error.
    public var ends: [String] { heard.value.ends }
    /// For each event, whether it arrived on the marked queue.
    public var wereOnQueue: [Bool] { heard.value.wereOnQueue }

    @Sendable public func value(_ value: Value) { note { $0.values.append(value) } }
    @Sendable public func finished() { note { $0.ends.append("finished") } }
    @Sendable public func interrupted() { note { $0.ends.append("interrupted") } }
    @Sendable public func failed(_ error: any Error) { note { $0.ends.append(error.moyaKind) } }

    private func note(_ event: (inout Heard) -> Void) {
        let isOnQueue = mark?.isHere ?? false
        heard.change { heard in
            heard.wereOnQueue.append(isOnQueue)
            event(&heard)
        }
    }

    /// Waits until `count` values have been received.
    public func waitForValues(_ count: Int) async { await heard.wait { $0.values.count >= count } }

    /// Waits until an end has been received.
    public func waitForEnd() async { await heard.wait { !$0.ends.isEmpty } }
}

/// A dispatch queue with a mark, by which code detects that it runs on the queue.
public struct QueueMark: Sendable {
    /// The queue.
    public let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    /// Marks `queue`, by default a new serial queue.
    public init(_ queue: DispatchQueue = DispatchQueue(label: "marked")) {
        self.queue = queue
        queue.setSpecific(key: key, value: true)
    }

    /// Whether this code runs on the queue.
    public var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}

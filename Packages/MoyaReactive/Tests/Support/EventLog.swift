import Foundation

/// What a subscriber heard, from any thread.
public final class EventLog<Value: Sendable>: Sendable {
    private struct Heard: Sendable {
        var values: [Value] = []
        var ends: [String] = []
        var wereOnQueue: [Bool] = []
    }

    private let heard = Watched(Heard())
    private let mark: QueueMark?

    /// A log that notes for every event whether it came on the queue that has this mark.
    public init(mark: QueueMark? = nil) {
        self.mark = mark
    }

    /// The values so far.
    public var values: [Value] { heard.value.values }
    /// The ends so far: "finished", or the kind of the error. More than one is a fault.
    public var ends: [String] { heard.value.ends }
    /// For each event whether it came on the queue.
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

    /// Waits until there are `count` values.
    public func waitForValues(_ count: Int) async { await heard.wait { $0.values.count >= count } }

    /// Waits until there is an end.
    public func waitForEnd() async { await heard.wait { !$0.ends.isEmpty } }
}

/// A queue that code can tell it is on.
public struct QueueMark: Sendable {
    /// The queue.
    public let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    /// Marks `queue`, a new one unless you say which.
    public init(_ queue: DispatchQueue = DispatchQueue(label: "marked")) {
        self.queue = queue
        queue.setSpecific(key: key, value: true)
    }

    /// Whether this code runs on the queue.
    public var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}

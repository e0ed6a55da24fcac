import Foundation
import MoyaCore
import MoyaInternals

/// An object that can list its unfinished work, for leak checks.
protocol LeakWatched: AnyObject, Sendable {
    /// Unfinished work, one description for each item. Empty if there is no leak.
    var leaks: [String] { get }
}

/// Collects the objects of one test that have to be finished when the test ends.
final class LeakScope: Sendable {
    @TaskLocal static var current: LeakScope?

    private let looks = Locked<[@Sendable () -> [String]]>([])

    /// Checks `object` when the test ends. Holds it weakly.
    func watch(_ object: any LeakWatched) {
        add { [weak object] in object?.leaks ?? [] }
    }

    /// Calls `look` when the test ends. Each returned text is a leak.
    func add(_ look: @escaping @Sendable () -> [String]) {
        looks.withLock { $0.append(look) }
    }

    var leaks: [String] { looks.withLock { $0 }.flatMap { $0() } }
}

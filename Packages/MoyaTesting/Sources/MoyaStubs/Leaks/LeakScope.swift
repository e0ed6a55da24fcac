import Foundation
import MoyaCore
import MoyaInternals

/// Something that knows what of it is not over yet.
protocol LeakWatched: AnyObject, Sendable {
    /// What is left, each in a few words. Empty where all is over.
    var leaks: [String] { get }
}

/// What a test has made and that is to be over when the test is.
final class LeakScope: Sendable {
    @TaskLocal static var current: LeakScope?

    private let looks = Locked<[@Sendable () -> [String]]>([])

    /// Looks at `object` when the test is over, if it is still there.
    func watch(_ object: any LeakWatched) {
        add { [weak object] in object?.leaks ?? [] }
    }

    /// Looks when the test is over. What `look` returns is left.
    func add(_ look: @escaping @Sendable () -> [String]) {
        looks.withLock { $0.append(look) }
    }

    var leaks: [String] { looks.withLock { $0 }.flatMap { $0() } }
}

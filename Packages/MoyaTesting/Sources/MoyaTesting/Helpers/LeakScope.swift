import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Something that knows what of it is not over yet.
protocol LeakWatched: AnyObject, Sendable {
    /// What is left, each in a few words. Empty where all is over.
    var leaks: [String] { get }
}

/// What a test has made and that is to be over when the test is.
final class LeakScope: Sendable {
    private struct Watched: Sendable {
        let leaks: @Sendable () -> [String]
    }

    @TaskLocal static var current: LeakScope?

    private let watched = Locked<[Watched]>([])

    init() {}

    /// Looks at `object` when the test is over, if it is still there.
    func watch(_ object: any LeakWatched) {
        let look = Watched { [weak object] in object?.leaks ?? [] }
        watched.withLock { $0.append(look) }
    }

    var leaks: [String] { watched.withLock { $0 }.flatMap { $0.leaks() } }
}

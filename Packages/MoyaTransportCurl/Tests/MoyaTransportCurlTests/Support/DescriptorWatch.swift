import Foundation
import MoyaCore
import MoyaInternals

/// Checks repeatedly, on its own thread, whether the process has a free descriptor.
final class DescriptorWatch: Sendable {
    private struct State {
        var isOver = false
        var misses = 0
    }

    private let state = Locked(State())

    init() {
        Thread { [state] in
            while !state.withLock(\.isOver) {
                let descriptor = open("/dev/null", O_RDONLY)
                if descriptor < 0 { state.withLock { $0.misses += 1 } } else { close(descriptor) }
            }
        }.start()
    }

    /// Ends the checks. Returns how many found no free descriptor.
    func stop() -> Int {
        state.withLock { $0.isOver = true }
        return state.withLock(\.misses)
    }
}

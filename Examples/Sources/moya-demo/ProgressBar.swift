import Foundation

/// Shows how far something has come: a bar in a terminal, a few plain lines elsewhere.
final class ProgressBar: @unchecked Sendable {
    // Safe: `lock` guards all that changes.
    private let lock = NSLock()
    private let title: String
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var shownPercent = -1

    init(_ title: String) {
        self.title = title
    }

    func show(_ fraction: Double) {
        let percent = Int(fraction * 100)
        lock.lock()
        defer { lock.unlock() }
        guard percent > shownPercent, isTerminal || percent >= shownPercent + 25 || percent == 100
        else {
            return
        }
        shownPercent = percent
        guard isTerminal else { return print("\(title): \(percent) %") }
        let filled = percent * 40 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        print("\r\(title) [\(bar)] \(percent) %", terminator: percent == 100 ? "\n" : "")
        fflush(nil)
    }
}

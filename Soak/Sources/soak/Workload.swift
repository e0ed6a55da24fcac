import Foundation
import MoyaCore

/// Runs numbered cases, several at once, until all have run or the time is up, and keeps what they found.
final class Workload: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var findings = 0
        /// When each case that runs has begun.
        var running: [Int: Date] = [:]
    }

    /// More findings say nothing new.
    private static let mostFindings = 10
    /// Far beyond the longest timeout of a case.
    private static let longestCase: TimeInterval = 120

    let options: Options
    private let unit: String
    private let start = Date()
    private let state = Locked(State())

    init(_ options: Options, unit: String) {
        self.options = options
        self.unit = unit
        state.withLock { $0.next = options.only ?? 0 }
        watch()
    }

    /// Whether no further case begins.
    var isOver: Bool { state.withLock { isOver($0) } }

    private func isOver(_ state: State) -> Bool {
        let end = options.only.map { $0 + 1 } ?? options.count
        return state.next >= end || state.findings >= Self.mostFindings
            || options.seconds.map { -start.timeIntervalSinceNow >= $0 } == true
    }

    /// Runs up to `count` further cases, `width` at once.
    func round(
        of count: Int, atOnce width: Int, _ body: @escaping @Sendable (Int) async -> Void
    ) async {
        let left = Locked(count)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while let number = self.begin(left) {
                        await body(number)
                        self.end(number)
                    }
                }
            }
        }
    }

    private func begin(_ left: Locked<Int>) -> Int? {
        state.withLock { state in
            guard !isOver(state), left.withLock({ $0 > 0 }) else { return nil }
            left.withLock { $0 -= 1 }
            state.running[state.next] = Date()
            state.next += 1
            return state.next - 1
        }
    }

    private func end(_ number: Int) {
        state.withLock { state in
            state.running[number] = nil
            state.done += 1
        }
    }

    /// Notes what is wrong. A case can be run alone again, unless the finding is about many of them.
    func find(_ text: String, case number: Int? = nil) {
        let place = number.map { "case \($0): " } ?? ""
        say("FINDING: \(place)\(text)")
        if let number { say("  again: \(options.command) --case \(number)") }
        state.withLock { $0.findings += 1 }
    }

    /// Says what the run does not show.
    func note(_ text: String) { say("\(options.part): \(text)") }

    /// Prints the summary, which `scripts/soak` reads, and ends the process.
    func finish() -> Never {
        let (done, findings) = state.withLock { ($0.done, $0.findings) }
        let seconds = String(format: "%.1f", -start.timeIntervalSinceNow)
        say("\(options.part): \(done) \(unit), \(seconds) s, findings: \(findings)")
        exit(findings == 0 ? 0 : 1)
    }

    /// A case without an end would otherwise be waited for without an end.
    private func watch() {
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                let late = state.withLock { state in
                    state.running.first { -$0.value.timeIntervalSinceNow > Self.longestCase }
                }
                guard let late else { continue }
                find("no end within \(Int(Self.longestCase)) s", case: late.key)
                finish()
            }
        }
    }
}

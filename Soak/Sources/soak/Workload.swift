import Foundation
import MoyaCore

/// Runs numbered cases concurrently until all have run or the time limit is reached, and counts
/// their findings.
final class Workload: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var findings = 0
        /// Start times of the running cases, by number.
        var running: [Int: Date] = [:]
    }

    /// Number of findings after which no further case starts.
    private static let mostFindings = 10
    /// Time limit of a case, in seconds: far longer than any timeout within a case.
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

    /// Whether no further case starts.
    var isOver: Bool { state.withLock { isOver($0) } }

    private func isOver(_ state: State) -> Bool {
        let end = options.only.map { $0 + 1 } ?? options.count
        return state.next >= end || state.findings >= Self.mostFindings
            || options.seconds.map { -start.timeIntervalSinceNow >= $0 } == true
    }

    /// Runs up to `count` further cases, `width` of them concurrently.
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

    /// Records a finding and prints it.
    ///
    /// - Parameter number: The case that has the finding, to print the command that repeats it.
    ///   `nil` if the finding is about many cases.
    func find(_ text: String, case number: Int? = nil) {
        let place = number.map { "case \($0): " } ?? ""
        say("FINDING: \(place)\(text)")
        if let number { say("  again: \(options.command) --case \(number)") }
        state.withLock { $0.findings += 1 }
    }

    /// Prints a note, such as a check that the run was too short for.
    func note(_ text: String) { say("\(options.part): \(text)") }

    /// Prints the summary, which `scripts/soak` reads, and ends the process.
    func finish() -> Never {
        let (done, findings) = state.withLock { ($0.done, $0.findings) }
        let seconds = String(format: "%.1f", -start.timeIntervalSinceNow)
        say("\(options.part): \(done) \(unit), \(seconds) s, findings: \(findings)")
        exit(findings == 0 ? 0 : 1)
    }

    /// Ends the process with a finding if a case exceeds its time limit: the rounds would otherwise
    /// wait for it forever.
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

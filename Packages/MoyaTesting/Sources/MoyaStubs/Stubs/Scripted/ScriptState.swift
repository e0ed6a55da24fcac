import Foundation
import MoyaCore

/// State of a script: its steps and the current position. Never waits.
struct ScriptState: Sendable {
    typealias Sender = CheckedContinuation<Stub, any Error>
    typealias Watcher = CheckedContinuation<TransportRequest, any Error>

    struct Step: Sendable {
        let matcher: RequestMatcher
        let place: SourcePlace
        var stub: Stub?
        var request: TransportRequest?
        /// Continuation of the request that waits for its answer.
        var sender: Sender?
        /// Whether the request was cancelled: it needs no answer.
        var isCancelled = false
        /// Continuations of the tasks that wait for the request.
        var watchers: [UUID: Watcher] = [:]
    }

    /// Step of a request, or the error of an unexpected request, and the continuations of the tasks
    /// that wait for the request.
    typealias Arrival = (step: Result<Int, ScriptError>, watchers: [Watcher])

    enum Answering {
        case released(Sender)
        case kept
        case second(String)
    }

    private static let finished = ScriptError(description: "The script is finished.")

    private(set) var steps: [Step] = []
    private(set) var requests: [TransportRequest] = []
    private var position = 0
    private var errors: [ScriptError] = []
    private var isFinished = false

    var heldCount: Int { steps.count { $0.sender != nil } }

    mutating func add(_ matcher: RequestMatcher, at place: SourcePlace) -> Int {
        steps.append(Step(matcher: matcher, place: place))
        return steps.count - 1
    }

    mutating func receive(_ request: TransportRequest) -> Arrival {
        requests.append(request)
        guard !isFinished, position < steps.count else {
            return refuse(
                "\(request.summary) came, and "
                    + (isFinished ? "the script is finished." : "nothing more is expected."))
        }
        let misses = steps[position].matcher.misses(request)
        guard misses.isEmpty else {
            let step = steps[position]
            return refuse(
                "\(request.summary) came where \(step.matcher) (\(step.place)) is expected: "
                    + misses.text + ".")
        }
        defer { position += 1 }
        steps[position].request = request
        return (.success(position), takeWatchers(of: position))
    }

    /// Stores `sender`, unless the answer is known. Returns the answer in that case.
    mutating func hold(_ step: Int, _ sender: Sender) -> Result<Stub, any Error>? {
        if let stub = steps[step].stub { return .success(stub) }
        if isFinished { return .failure(Self.finished) }
        steps[step].sender = sender
        return nil
    }

    mutating func answer(_ step: Int, with stub: Stub) -> Answering {
        guard steps[step].stub == nil else { return .second(steps[step].matcher.description) }
        steps[step].stub = stub
        return letGo(step).map(Answering.released) ?? .kept
    }

    mutating func letGo(_ step: Int) -> Sender? {
        defer { steps[step].sender = nil }
        return steps[step].sender
    }

    mutating func cancel(_ step: Int) -> Sender? {
        steps[step].isCancelled = true
        return letGo(step)
    }

    /// Stores `watcher`, unless the request has arrived or cannot arrive any more. Returns the
    /// result in that case.
    mutating func watch(
        _ step: Int, _ id: UUID, _ watcher: Watcher
    ) -> Result<TransportRequest, any Error>? {
        if let request = steps[step].request { return .success(request) }
        if let error = errors.last { return .failure(error) }
        if isFinished { return .failure(Self.finished) }
        steps[step].watchers[id] = watcher
        return nil
    }

    mutating func forget(_ step: Int, _ id: UUID) -> Watcher? {
        steps[step].watchers.removeValue(forKey: id)
    }

    /// Finishes the script. Returns its problems, and the continuations of requests and of tasks
    /// that can no longer get a result.
    mutating func finish() -> (problems: [String], held: [Sender], watchers: [Watcher]) {
        var problems = errors.map(\.description)
        let missing = steps[position...].map { "  - \($0.matcher) (\($0.place))" }
        if !missing.isEmpty {
            problems.append("Expected and never came:\n" + missing.joined(separator: "\n"))
        }
        let unanswered = steps[..<position].filter { $0.stub == nil && !$0.isCancelled }
            .map { "  - \($0.matcher) (\($0.place))" }
        if !unanswered.isEmpty {
            problems.append(
                "Came and was never answered:\n" + unanswered.joined(separator: "\n")
                    + "\nCall respond(…) on what expect(…) returned.")
        }
        isFinished = true
        errors = []
        let held = steps.indices.compactMap { letGo($0) }
        return (problems, held, steps.indices.flatMap { takeWatchers(of: $0) })
    }

    private mutating func refuse(_ what: String) -> Arrival {
        let error = ScriptError(description: "\(what)\n\(text)")
        errors.append(error)
        // After a request out of order the script cannot continue: without an error, these tasks
        // would wait forever.
        return (.failure(error), steps.indices.flatMap { takeWatchers(of: $0) })
    }

    private mutating func takeWatchers(of step: Int) -> [Watcher] {
        defer { steps[step].watchers = [:] }
        return Array(steps[step].watchers.values)
    }

    private var text: String {
        guard !steps.isEmpty else { return "The script is empty." }
        return "The script:\n"
            + steps.enumerated().map { index, step in
                let mark = index < position ? "came" : index == position ? "expected now" : "later"
                return "  \(index + 1). \(step.matcher) (\(step.place)): \(mark)"
            }
            .joined(separator: "\n")
    }
}

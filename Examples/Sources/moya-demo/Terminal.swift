import Foundation

/// Text formatting of the demo: coloured on a terminal unless `NO_COLOR` is set, plain elsewhere.
struct Terminal: Sendable {
    enum Style: String {
        case good = "32"
        case bad = "31"
        case faint = "2"
        case title = "1"
    }

    let isTerminal: Bool
    let isColoured: Bool

    static let standardOutput = Terminal(
        isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)

    init(isTerminal: Bool, environment: [String: String]) {
        self.isTerminal = isTerminal
        isColoured =
            isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    func text(_ text: String, _ style: Style) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

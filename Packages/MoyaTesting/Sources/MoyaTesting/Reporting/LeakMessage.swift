/// Returns the message of a test that fails a leak check.
func leakMessage(_ leaks: [String]) -> String {
    (["The test leaves something behind:"] + leaks.map { "  - \($0)" }).joined(separator: "\n")
}

/// Waits for what nobody tells about, and looks again and again. A test whose time is up gets to its end here: one
/// that looks for ever would hold up all others.
func until(_ isMet: () async throws -> Bool) async throws {
    while try await !isMet() {
        // Leaves the processor to those who are waited for.
        try await Task.sleep(nanoseconds: 1_000_000)
    }
}

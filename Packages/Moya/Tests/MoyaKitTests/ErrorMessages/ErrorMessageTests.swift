#if os(Linux)
    import Foundation
    import Testing

    /// The messages of the library's errors, as users see them in `localizedDescription`, against
    /// docs/ErrorMessages.txt, so that a review sees each change to them.
    @Suite struct ErrorMessageTests {
        private let file = URL(
            fileURLWithPath: #filePath + "/../../../../../../docs/ErrorMessages.txt"
        )
        .standardizedFileURL

        @Test func `docs/ErrorMessages.txt lists the message of every error`() async throws {
            let messages = try await MessageList.make().text
            if ProcessInfo.processInfo.environment["MOYA_UPDATE_ERRORS"] == "1" {
                try Data(messages.utf8).write(to: file)
            }
            let listed = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let lines = messages.components(separatedBy: "\n")
            let differences = lines.difference(from: listed.components(separatedBy: "\n"))
            let shown = differences.map { change in
                switch change {
                case .remove(let offset, let line, _): "- line \(offset + 1): \(line)"
                case .insert(let offset, let line, _): "+ line \(offset + 1): \(line)"
                }
            }
            #expect(
                shown.isEmpty,
                """
                docs/ErrorMessages.txt differs from the messages of the code. If the change is \
                intended, run this test with MOYA_UPDATE_ERRORS=1 in the environment, which writes it.
                \(shown.joined(separator: "\n"))
                """)
        }
    }
#endif

#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// A line of the user's source.
    ///
    /// The compiler reports errors in generated code at the line that a `#sourceLocation` names:
    /// otherwise all of them, and the lines of a debugger, would be at the end of the enum.
    struct SourceLine {
        private let file: String
        private let number: Int

        /// The line of the node. `nil` if the compiler does not know it.
        init?(_ node: some SyntaxProtocol, in context: some MacroExpansionContext) {
            guard
                let place = context.location(
                    of: node, at: .afterLeadingTrivia, filePathMode: .filePath),
                let number = Int(place.line.trimmedDescription)
            else { return nil }
            file = place.file.trimmedDescription
            self.number = number
        }

        /// Makes this line that of the generated code after `count` further lines.
        func directive(skipping count: Int = 0) -> String {
            "#sourceLocation(file: \(file), line: \(max(1, number - count)))\n"
        }

        /// Returns `code` with errors in its first line reported at this line.
        func reporting(_ code: String) -> String {
            "\(directive())\(code)\n\(Self.end)"
        }

        /// Ends the effect of a directive.
        static let end = "#sourceLocation()"
    }
#endif

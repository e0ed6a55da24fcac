#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// An error in a declaration, or the title of its fix-it.
    struct Message: DiagnosticMessage, FixItMessage {
        let message: String
        let severity = DiagnosticSeverity.error
        var diagnosticID: MessageID { MessageID(domain: "MoyaMacros", id: message) }
        var fixItID: MessageID { diagnosticID }

        init(_ message: String) { self.message = message }
    }

    extension MacroExpansionContext {
        /// Reports an error at `node`, with an optional fix-it that replaces `old` by `new`.
        func report(
            _ text: String, at node: some SyntaxProtocol,
            fix: String? = nil, replacing old: (any SyntaxProtocol)? = nil,
            with new: (any SyntaxProtocol)? = nil
        ) {
            var fixIts: [FixIt] = []
            if let fix, let old, let new {
                fixIts.append(
                    FixIt(
                        message: Message(fix),
                        changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))]))
            }
            diagnose(Diagnostic(node: Syntax(node), message: Message(text), fixIts: fixIts))
        }
    }

    extension StringLiteralExprSyntax {
        /// The text of the literal, or `nil` if it has interpolations.
        var text: String? { representedLiteralValue }

        /// Returns this literal with another text.
        func with(text: String) -> StringLiteralExprSyntax {
            StringLiteralExprSyntax(content: text)
                .with(\.leadingTrivia, leadingTrivia).with(\.trailingTrivia, trailingTrivia)
        }
    }
#endif

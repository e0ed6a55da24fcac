#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Marks a case for ``APIMacro``. Expands to no code.
    struct RouteMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            if !declaration.is(EnumCaseDeclSyntax.self) {
                context.report(
                    "@\(node.attributeName.trimmedDescription) belongs to a case of an enum with @API",
                    at: node)
            }
            return []
        }
    }
#endif

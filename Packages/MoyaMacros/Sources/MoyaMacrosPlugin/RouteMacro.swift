#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Marks a case for ``APIMacro``. Expands to no code.
    struct RouteMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            if !declaration.is(EnumCaseDeclSyntax.self) || !isInAPI(context) {
                context.report(
                    "@\(node.attributeName.trimmedDescription) belongs to a case of an enum with @API",
                    at: node)
            }
            return []
        }

        /// Whether the enum that encloses the declaration has the attribute `@API`, which may be
        /// inside `#if`.
        private static func isInAPI(_ context: some MacroExpansionContext) -> Bool {
            guard let type = context.lexicalContext.first?.as(EnumDeclSyntax.self) else {
                return false
            }
            return type.attributes.contains { element in
                guard let attribute = element.as(AttributeSyntax.self) else {
                    return element.description.contains("API")
                }
                return attribute.name == "API"
            }
        }
    }
#endif

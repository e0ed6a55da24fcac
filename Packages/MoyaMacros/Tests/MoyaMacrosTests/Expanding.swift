#if Macros
    @testable import MoyaMacrosPlugin
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax
    import SwiftSyntaxMacroExpansion
    import SwiftSyntaxMacros

    /// The result of expanding the macros in a source file.
    struct Expanded {
        /// The source with the generated code.
        let text: String
        /// The errors as `line: message → fix-it`, sorted by line.
        let errors: [String]
        /// The source after applying the first fix-it of each error.
        let fixed: String

        init(_ source: String) {
            let file = Parser.parse(source: source)
            let context = BasicMacroExpansionContext(
                sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "Tests.swift")])
            text =
                file.expand(
                    macroSpecs: Self.macros,
                    contextGenerator: {
                        BasicMacroExpansionContext(
                            sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                    }
                ).description
            func offset(_ position: AbsolutePosition, in node: Syntax) -> Int {
                context.location(for: position, anchoredAt: node, fileName: "Tests.swift").offset
            }
            let found = context.diagnostics.map { ($0, offset($0.position, in: $0.node)) }
                .sorted { $0.1 < $1.1 }
            let bytes = Array(source.utf8)
            errors = found.map { diagnostic, offset in
                let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
                let fixes = diagnostic.fixIts.map { " → \($0.message.message)" }
                return "\(line): \(diagnostic.message)\(fixes.joined())"
            }
            var result = bytes
            for (diagnostic, _) in found.reversed() {
                for case .replace(let old, let new) in diagnostic.fixIts.first?.changes ?? [] {
                    let start = offset(old.position, in: old)
                    result.replaceSubrange(
                        start..<start + old.totalLength.utf8Length,
                        with: Array(new.description.utf8))
                }
            }
            fixed = String(decoding: result, as: UTF8.self)
        }

        private static let macros: [String: MacroSpec] = {
            let route = MacroSpec(type: RouteMacro.self)
            var macros = Dictionary(
                uniqueKeysWithValues: Route.methods.union(["HTTP", "Multipart"]).map {
                    ($0, route)
                })
            macros["API"] = MacroSpec(type: APIMacro.self)
            return macros
        }()
    }
#endif

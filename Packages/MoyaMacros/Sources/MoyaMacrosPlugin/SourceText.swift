#if Macros
    import SwiftParser
    import SwiftSyntax

    extension String {
        /// Each line but the empty ones, four spaces further in.
        var indented: String {
            split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        }

        /// The name as it stands in code: in backticks where it is a keyword, or else no identifier.
        var identifier: String {
            isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`"
        }

        /// The name as a label of an argument, where few keywords need backticks.
        var label: String {
            let isPlain =
                first?.isNumber == false && "_\(self)".isValidSwiftIdentifier(for: .variableName)
            return isPlain && !["inout", "let", "var"].contains(self) ? self : "`\(self)`"
        }

        /// The text as it stands in a literal.
        var escaped: String {
            unicodeScalars.map { scalar in
                switch scalar {
                case "\\", "\"": "\\\(scalar)"
                case _ where scalar.properties.isControl: "\\u{\(String(scalar.value, radix: 16))}"
                default: "\(scalar)"
                }
            }.joined()
        }
    }

    extension Unicode.Scalar.Properties {
        /// Whether a literal cannot hold the character as it is, a break of a line among them.
        fileprivate var isControl: Bool {
            [.control, .lineSeparator, .paragraphSeparator].contains(generalCategory)
        }
    }

    extension SyntaxProtocol {
        /// The code, with `type` for `Self`: as it reads inside of another type.
        func text(naming type: String) -> String {
            trimmed.tokens(viewMode: .sourceAccurate).map { token in
                guard token.tokenKind == .keyword(.Self) else { return token.description }
                return "\(token.leadingTrivia)\(type)\(token.trailingTrivia)"
            }.joined()
        }
    }

    extension TokenSyntax {
        /// The name without backticks.
        var plainName: String { identifier?.name ?? text }
    }
#endif

#if Macros
    import SwiftParser
    import SwiftSyntax

    extension String {
        /// The text with every non-empty line indented by four spaces.
        var indented: String {
            split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        }

        /// The name as an identifier in code, in backticks if it is a keyword or not a plain
        /// identifier.
        var identifier: String {
            isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`"
        }

        /// The name as an argument label, for which few keywords need backticks.
        var label: String {
            let isPlain =
                first?.isNumber == false && "_\(self)".isValidSwiftIdentifier(for: .variableName)
            return isPlain && !["inout", "let", "var"].contains(self) ? self : "`\(self)`"
        }

        /// The text as the content of a string literal.
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
        /// Whether a string literal cannot contain the character unescaped, such as a line break.
        fileprivate var isControl: Bool {
            [.control, .lineSeparator, .paragraphSeparator].contains(generalCategory)
        }
    }

    extension SyntaxProtocol {
        /// Returns the code with `Self` replaced by `type`, so that it is valid inside another
        /// type.
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

#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// The names under which parameters are sent as query items and form parts: the argument
    /// `names` of `@API`.
    struct SentNames {
        private var given: [String: String] = [:]
        private var isSnakeCase = false

        /// Reads the argument. Reports names that no case has.
        init(
            _ attribute: AttributeSyntax, cases: [EnumCaseDeclSyntax],
            in context: some MacroExpansionContext
        ) {
            guard case .argumentList(let arguments) = attribute.arguments,
                let value = arguments.first(where: { $0.label?.text == "names" })?.expression
            else { return }
            if let member = value.as(MemberAccessExprSyntax.self) {
                isSnakeCase = member.declName.baseName.text == "snakeCase"
                return
            }
            guard let dictionary = value.as(DictionaryExprSyntax.self) else {
                context.report("write .snakeCase, or a dictionary in brackets", at: value)
                return
            }
            guard case .elements(let elements) = dictionary.content else { return }
            let known = Set(cases.flatMap(\.parameterNames))
            for element in elements {
                guard let name = element.key.as(StringLiteralExprSyntax.self)?.text,
                    let sent = element.value.as(StringLiteralExprSyntax.self)?.text
                else {
                    context.report("write both names in quotes", at: element)
                    continue
                }
                if !known.contains(name) {
                    context.report("no case has a parameter '\(name)'", at: element.key)
                }
                given[name] = sent
            }
        }

        subscript(name: String) -> String {
            given[name] ?? (isSnakeCase ? Self.snakeCase(name) : name)
        }

        /// Returns a name in snake case, as Foundation's `convertToSnakeCase` does: `userID` is
        /// `user_id`, and `htmlURLPath` is `html_url_path`.
        static func snakeCase(_ name: String) -> String {
            let characters = Array(name)
            var result = ""
            for (index, character) in characters.enumerated() {
                if character.isUppercase, index > 0, characters[index - 1] != "_" {
                    let next = characters.dropFirst(index + 1).first
                    // A run of capitals is one word. Its last capital begins the next word if
                    // small letters follow.
                    if !characters[index - 1].isUppercase || next?.isLowercase == true {
                        result += "_"
                    }
                }
                result += character.lowercased()
            }
            return result
        }
    }

    extension EnumCaseDeclSyntax {
        /// The names of all associated values.
        fileprivate var parameterNames: [String] {
            elements.flatMap { element in
                (element.parameterClause?.parameters ?? []).compactMap {
                    ($0.secondName ?? $0.firstName)?.plainName
                }
            }
        }
    }
#endif

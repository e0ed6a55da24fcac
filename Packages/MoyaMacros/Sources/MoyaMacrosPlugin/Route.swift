#if Macros
    import SwiftSyntax

    /// A case of an API: its request line, and the uses of its parameters.
    struct Route {
        /// A parameter of the case.
        struct Parameter {
            let name: String
            /// The name of the query item or form part that the parameter becomes.
            let sentName: String
            /// Whether callers write the name as an argument label.
            let isLabeled: Bool
            let type: TypeSyntax
            /// The type and the default value as written outside of the enum, with `Self` replaced.
            let typeText: String
            let defaultValue: String?

            var isOptional: Bool { wrapped != nil }
            /// The wrapped type of an optional parameter: `String` for `String?` and
            /// `Optional<String>`. Otherwise `nil`.
            var wrapped: TypeSyntax? {
                if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
                let arguments =
                    type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
                    ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
                guard type.lastName == "Optional",
                    let argument = arguments?.arguments.first?.argument
                else { return nil }
                // A type in swift-syntax 600, an enumeration of types and expressions later.
                return Syntax(argument).as(TypeSyntax.self)
            }
        }

        /// A header field or a query item: fixed text, or text with the values of parameters.
        struct Field {
            let name: String
            let value: Template
            let node: StringLiteralExprSyntax

            /// The name, with the value if that is fixed text.
            var shape: String {
                value.placeholders.isEmpty ? "\(name)=\(value.normalized)" : name
            }
        }

        /// Methods that have a macro.
        static let methods: Set = [
            "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY",
        ]

        let caseName: String
        let method: String
        let path: Template
        let parameters: [Parameter]
        var response = "Moya.Response"
        var body: (name: String, node: StringLiteralExprSyntax)?
        var headers: [Field] = []
        var query: [Field] = []
        var sample: String?
        var validation: String?
        var task: String?
        var example: [(name: String, value: String, node: StringLiteralExprSyntax)] = []
        var isMultipart = false

        /// The line of the case, at which the compiler reports errors in the generated code.
        var line: SourceLine?
        let declaration: EnumCaseDeclSyntax
        let attribute: AttributeSyntax
        let pathNode: StringLiteralExprSyntax

        /// The `@available` attributes of the case.
        var availability: [String] { declaration.attributes.availability }
        var isDeprecated: Bool { availability.contains { $0.contains("deprecated") } }

        func parameter(_ name: String) -> Parameter? { parameters.first { $0.name == name } }

        /// Names of the parameters that path, body, header fields and query use.
        var usedNames: Set<String> {
            Set(
                path.placeholders + [body?.name].compactMap { $0 }
                    + (headers + query).flatMap(\.value.placeholders))
        }

        /// The parameters without another use: query items, or parts of a form.
        var rest: [Parameter] {
            let used = usedNames
            return parameters.filter { !used.contains($0.name) }
        }

        /// The request line, for comparison with other cases: fixed text counts, parameter names in
        /// the path and values of query items do not.
        var requestLine: String {
            let items = Set(query.map(\.shape) + (isMultipart ? [] : rest.map(\.sentName)))
            let query = items.isEmpty ? "" : "?" + items.sorted().joined(separator: "&")
            return "\(method) \(path.normalized)\(query)"
        }

        /// The properties that distinguish the request from those of other cases.
        var shape: [String] {
            let content =
                isMultipart ? rest : [body].compactMap { $0 }.compactMap { parameter($0.name) }
            return [requestLine, task ?? ""] + content.map { "\($0.name): \($0.typeText)" }
                + headers.map(\.shape).sorted()
        }
    }

    extension TypeSyntax {
        /// The last component of the type's name: `URL` for `URL` and `Foundation.URL`. `nil` for a
        /// type without a name, such as `[Int]`.
        var lastName: String? {
            self.as(IdentifierTypeSyntax.self)?.name.text
                ?? self.as(MemberTypeSyntax.self)?.name.text
        }
    }

    /// Text with placeholders, such as `/users/{name}`.
    struct Template {
        enum Part: Equatable {
            case text(String)
            case placeholder(String)
            /// A placeholder for several segments of a path, such as `{path...}`.
            case segments(String)
        }

        let parts: [Part]

        /// Parses a template. Returns `nil` if the braces do not match.
        init?(_ text: String) {
            var parts: [Part] = []
            var rest = text[...]
            while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
                let after = rest[rest.index(after: open)...]
                guard rest[open] == "{",
                    let close = after.firstIndex(where: { "{}/".contains($0) }),
                    after[close] == "}", close != after.startIndex
                else { return nil }
                if open != rest.startIndex { parts.append(.text(String(rest[..<open]))) }
                let name = String(after[..<close])
                parts.append(
                    name.hasSuffix("...")
                        ? .segments(String(name.dropLast(3))) : .placeholder(name))
                rest = after[after.index(after: close)...]
            }
            if !rest.isEmpty { parts.append(.text(String(rest))) }
            self.parts = parts
        }

        var placeholders: [String] {
            parts.compactMap { part in
                switch part {
                case .text: nil
                case .placeholder(let name), .segments(let name): name
                }
            }
        }

        /// The text with the names of its placeholders removed.
        var normalized: String {
            parts.map { part in
                switch part {
                case .text(let text): text
                case .placeholder: "{}"
                case .segments: "{...}"
                }
            }.joined()
        }

        /// The name of the placeholder, if the text consists of a single placeholder.
        var onlyPlaceholder: String? {
            if parts.count == 1, case .placeholder(let name) = parts[0] { name } else { nil }
        }
    }
#endif

#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Parses a case of an enum as a ``Route``, and reports errors.
    struct RouteReader<Context: MacroExpansionContext> {
        let context: Context
        /// The name of the enum.
        let type: String
        /// The names of query items and form parts.
        let names: SentNames

        /// Returns the route of a case, or `nil` after reporting an error.
        func route(of declaration: EnumCaseDeclSyntax) -> Route? {
            guard let element = declaration.elements.first else { return nil }
            let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
            let requests = attributes.filter { attribute in
                let name = attribute.name
                return Route.methods.contains(name) || name == "HTTP"
            }
            guard let attribute = requests.first else {
                reportMissingMethod(of: element, attributes, declaration)
                return nil
            }
            guard requests.count == 1 else {
                context.report(
                    "'\(element.name.plainName)' has more than one method", at: requests[1],
                    fix: "remove @\(requests[1].name)", replacing: declaration.attributes,
                    with: declaration.attributes.filter {
                        $0.as(AttributeSyntax.self) != requests[1]
                    })
                return nil
            }
            guard declaration.elements.count == 1 else {
                context.report(
                    "a request is one case: write each case on a line of its own, with its path",
                    at: declaration.elements)
                return nil
            }
            return route(element, declaration, attribute, attributes)
        }

        /// Reports a case without an attribute such as `@GET`. The fix-it adds `@GET` with a path,
        /// or changes an attribute in capitals to `@HTTP`.
        private func reportMissingMethod(
            of element: EnumCaseElementSyntax, _ attributes: [AttributeSyntax],
            _ declaration: EnumCaseDeclSyntax
        ) {
            let unknown = attributes.first { attribute in
                attribute.name.count > 1
                    && attribute.name.allSatisfy { $0.isASCII && $0.isUppercase }
            }
            if let unknown {
                var known = unknown
                known.attributeName = TypeSyntax(stringLiteral: "HTTP")
                if case .argumentList(let arguments) = unknown.arguments {
                    let method = LabeledExprSyntax(
                        expression: StringLiteralExprSyntax(content: unknown.name),
                        trailingComma: .commaToken(trailingTrivia: .space))
                    known.arguments = .argumentList([method] + arguments)
                }
                context.report(
                    "there is no method @\(unknown.name)", at: unknown.attributeName,
                    fix: "use @HTTP(\"\(unknown.name)\", …)", replacing: unknown, with: known)
                return
            }
            var mended = declaration
            mended.leadingTrivia = []
            let attribute: AttributeSyntax = "@GET(\"/\(raw: element.name.plainName)\")"
            mended.attributes.insert(
                .attribute(attribute.with(\.trailingTrivia, .space)),
                at: mended.attributes.startIndex)
            context.report(
                "'\(element.name.plainName)' has no method and no path", at: element,
                fix: "add @GET(\"/\(element.name.plainName)\")", replacing: declaration,
                with: mended.with(\.leadingTrivia, declaration.leadingTrivia))
        }

        private func route(
            _ element: EnumCaseElementSyntax, _ declaration: EnumCaseDeclSyntax,
            _ attribute: AttributeSyntax, _ attributes: [AttributeSyntax]
        ) -> Route? {
            guard case .argumentList(let list) = attribute.arguments else { return nil }
            var arguments = Array(list)
            var method = attribute.name
            if method == "HTTP" {
                guard let first = arguments.first, let text = literal(first)?.text else {
                    return nil
                }
                guard isToken(text) else {
                    context.report("\"\(text)\" is no method (RFC 9110, section 9.1)", at: first)
                    return nil
                }
                method = text
                arguments.removeFirst()
            }
            guard let first = arguments.first, first.label == nil, let node = literal(first),
                let text = node.text
            else { return nil }
            guard let path = Template(text) else {
                context.report("the braces in the path do not match", at: node)
                return nil
            }
            guard let parameters = parameters(of: element, path) else { return nil }
            var route = Route(
                caseName: element.name.plainName, method: method, path: path,
                parameters: parameters,
                declaration: declaration, attribute: attribute, pathNode: node)
            route.line = SourceLine(element, in: context)
            route.isMultipart = attributes.contains { $0.name == "Multipart" }
            for argument in arguments.dropFirst() { read(argument, into: &route) }
            return route
        }

        /// Whether `text` is a token (RFC 9110, section 5.6.2).
        private func isToken(_ text: String) -> Bool {
            !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
                }
        }

        /// Returns the associated values of a case, or `nil` after reporting an unnamed value.
        private func parameters(
            of element: EnumCaseElementSyntax, _ path: Template
        ) -> [Route.Parameter]? {
            var parameters: [Route.Parameter] = []
            for parameter in element.parameterClause?.parameters ?? [] {
                let label = parameter.firstName.flatMap { $0.text == "_" ? nil : $0.plainName }
                guard let name = label ?? parameter.secondName?.plainName else {
                    let free = path.placeholders.first { name in
                        !parameters.contains { $0.name == name }
                    }
                    let name = free ?? "value"
                    var named = parameter
                    named.firstName = .identifier(name)
                    named.colon = .colonToken(trailingTrivia: .space)
                    context.report(
                        "a parameter of a request needs a name", at: parameter,
                        fix: "name it '\(name)'", replacing: parameter, with: named)
                    return nil
                }
                parameters.append(
                    Route.Parameter(
                        name: name, sentName: names[name], isLabeled: label != nil,
                        type: parameter.type.trimmed,
                        typeText: parameter.type.text(naming: type),
                        defaultValue: parameter.defaultValue?.value.text(naming: type)))
            }
            return parameters
        }

        /// Reads the response type or a labeled argument of the attribute.
        private func read(_ argument: LabeledExprSyntax, into route: inout Route) {
            let value = argument.expression
            switch argument.label?.text {
            case nil:
                guard let type = value.as(MemberAccessExprSyntax.self), let base = type.base,
                    type.declName.baseName.text == "self"
                else {
                    context.report("write the type of the response as 'User.self'", at: value)
                    return
                }
                route.response = base.text(naming: self.type)
            case "body":
                if let node = literal(argument), let name = node.text { route.body = (name, node) }
            case "headers": route.headers = fields(value)
            case "query": route.query = fields(value)
            case "sample": route.sample = value.trimmedDescription
            case "validation": route.validation = value.trimmedDescription
            case "task": route.task = literal(argument)?.text
            case "example":
                route.example = elements(value).map { ($0.text, $1.trimmedDescription, $0.node) }
            default: break
            }
        }

        /// Reads a dictionary of query items or header fields.
        private func fields(_ value: ExprSyntax) -> [Route.Field] {
            elements(value).compactMap { name, value in
                guard let node = value.as(StringLiteralExprSyntax.self), let text = node.text,
                    let template = Template(text)
                else {
                    context.report(
                        "write a text, or a parameter in braces: \"{name}\"", at: value)
                    return nil
                }
                return Route.Field(name: name.text, value: template, node: node)
            }
        }

        private typealias Key = (text: String, node: StringLiteralExprSyntax)

        /// Returns the keys, which have to be literals, and the values of a dictionary literal.
        private func elements(_ value: ExprSyntax) -> [(Key, ExprSyntax)] {
            guard let dictionary = value.as(DictionaryExprSyntax.self) else {
                context.report("write a dictionary in brackets", at: value)
                return []
            }
            guard case .elements(let elements) = dictionary.content else { return [] }
            return elements.compactMap { element in
                guard let node = element.key.as(StringLiteralExprSyntax.self), let text = node.text
                else {
                    context.report("write a name in quotes", at: element.key)
                    return nil
                }
                return ((text, node), element.value)
            }
        }

        /// Returns the argument's string literal without interpolation, or `nil` after reporting an
        /// error.
        private func literal(_ argument: LabeledExprSyntax) -> StringLiteralExprSyntax? {
            guard let node = argument.expression.as(StringLiteralExprSyntax.self), node.text != nil
            else {
                context.report("write a text in quotes, with nothing put into it", at: argument)
                return nil
            }
            return node
        }
    }

    extension AttributeSyntax {
        /// The name of the attribute, without the module name.
        var name: String {
            guard let member = attributeName.as(MemberTypeSyntax.self),
                member.baseType.trimmedDescription == "MoyaMacros"
            else { return attributeName.trimmedDescription }
            return member.name.text
        }
    }
#endif

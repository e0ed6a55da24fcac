#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Reports errors in a route, and conflicts between routes.
    struct RouteChecks<Context: MacroExpansionContext> {
        let context: Context

        func check(_ routes: [Route]) {
            for route in routes {
                checkNames(route)
                checkUses(route)
                checkPath(route)
                checkBody(route)
                checkTexts(route)
            }
            checkRequestLines(routes)
        }

        /// Reports cases with the same base name, whose generated patterns (`.user(let id)`) would
        /// be ambiguous. Returns whether there are none.
        func checkCaseNames(_ routes: [Route]) -> Bool {
            let names = Dictionary(grouping: routes, by: \.caseName).filter { $1.count > 1 }
            for route in routes where names[route.caseName] != nil {
                context.report(
                    "several cases are named '\(route.caseName)': give each request a name of its own",
                    at: route.declaration.elements)
            }
            return names.isEmpty
        }

        // MARK: Names

        private func checkNames(_ route: Route) {
            for name in route.path.placeholders where route.parameter(name) == nil {
                reportUnknown(name, in: route.pathNode, braced: true, of: route)
            }
            for field in route.headers + route.query {
                for name in field.value.placeholders where route.parameter(name) == nil {
                    reportUnknown(name, in: field.node, braced: true, of: route)
                }
            }
            if let body = route.body, route.parameter(body.name) == nil {
                reportUnknown(body.name, in: body.node, braced: false, of: route)
            }
            for example in route.example where route.parameter(example.name) == nil {
                reportUnknown(example.name, in: example.node, braced: false, of: route)
            }
        }

        /// Reports an unknown parameter. The fix-it uses the only parameter without a use, or adds
        /// a new parameter.
        private func reportUnknown(
            _ name: String, in node: StringLiteralExprSyntax, braced: Bool, of route: Route
        ) {
            let text = "'\(route.caseName)' has no parameter '\(name)'"
            if route.rest.count == 1, let free = route.rest.first?.name {
                let old = node.text ?? ""
                let new =
                    braced
                    ? old.replacing("{\(name)}", with: "{\(free)}")
                        .replacing("{\(name)...}", with: "{\(free)...}") : free
                context.report(
                    text, at: node, fix: "use '\(free)'", replacing: node,
                    with: node.with(text: new))
                return
            }
            var mended = route.declaration
            guard let index = mended.elements.indices.first else { return }
            var clause =
                mended.elements[index].parameterClause
                ?? EnumCaseParameterClauseSyntax(parameters: [])
            if let last = clause.parameters.indices.last {
                clause.parameters[last].trailingComma = .commaToken(trailingTrivia: .space)
            }
            clause.parameters.append("\(raw: name): String")
            mended.elements[index].parameterClause = clause
            context.report(
                text, at: node, fix: "add the parameter '\(name): String'",
                replacing: route.declaration, with: mended)
        }

        /// Reports parameters that path, body, header fields and query use more than once.
        private func checkUses(_ route: Route) {
            var seen: Set<String> = []
            for name in route.path.placeholders where !seen.insert(name).inserted {
                context.report("'\(name)' stands in the path twice", at: route.pathNode)
            }
            if let body = route.body, !seen.insert(body.name).inserted {
                reportSecondUse(of: body.name, at: body.node, in: "body", route)
            }
            for (label, fields) in [("headers", route.headers), ("query", route.query)] {
                for field in fields {
                    for name in field.value.placeholders where !seen.insert(name).inserted {
                        reportSecondUse(of: name, at: field.node, in: label, route)
                    }
                }
            }
        }

        /// Reports a use of a parameter after the first. The fix-it removes the field with the
        /// value `node`, or the whole argument if it has no other field.
        private func reportSecondUse(
            of name: String, at node: StringLiteralExprSyntax, in label: String, _ route: Route
        ) {
            var mended = route.attribute
            guard case .argumentList(var arguments) = mended.arguments,
                let index = arguments.firstIndex(where: { $0.label?.text == label })
            else { return }
            let fix: String
            if let (field, others) = arguments[index].expression.removing(node) {
                arguments[index].expression = others
                fix = "remove \(field) from '\(label)'"
            } else {
                arguments.remove(at: index)
                if let last = arguments.indices.last { arguments[last].trailingComma = nil }
                fix = "remove '\(label)'"
            }
            mended.arguments = .argumentList(arguments)
            context.report(
                "'\(name)' is used twice", at: node, fix: fix, replacing: route.attribute,
                with: mended)
        }

        // MARK: Path

        private static var unfit: Set<String> { ["Array", "Data", "Date", "Dictionary", "Set"] }

        private func checkPath(_ route: Route) {
            if !route.path.isRooted {
                let text = route.pathNode.text ?? ""
                context.report(
                    "a path begins with '/'", at: route.pathNode, fix: "write \"/\(text)\"",
                    replacing: route.pathNode, with: route.pathNode.with(text: "/" + text))
            }
            for parameter in route.path.placeholders.compactMap(route.parameter) {
                if let wrapped = parameter.wrapped {
                    context.report(
                        "'\(parameter.name)' is in the path, so it cannot be left out",
                        at: route.pathNode, fix: "make it '\(wrapped.trimmedDescription)'",
                        replacing: route.declaration,
                        with: route.declaration.replacingType(of: parameter.name, with: wrapped))
                } else if !isFit(parameter.type) {
                    context.report(
                        "'\(parameter.name)' is a '\(parameter.typeText)', which is no segment of a path",
                        at: route.pathNode, fix: "make it 'String'", replacing: route.declaration,
                        with: route.declaration.replacingType(of: parameter.name, with: "String"))
                }
            }
            for mark: Character in ["?", "#"] where route.path.holds(mark) {
                context.report(
                    "a path has no '\(mark)': items of the query are parameters, or stand in 'query'",
                    at: route.pathNode)
            }
        }

        private func isFit(_ type: TypeSyntax) -> Bool {
            guard let name = type.lastName else { return false }
            return name != "Optional" && !Self.unfit.contains(name)
        }

        // MARK: Text

        /// Checks the types of parameters in text: header fields, parts of a form, and query items
        /// with other text.
        private func checkTexts(_ route: Route) {
            for field in route.headers + route.query {
                for case .segments(let name) in field.value.parts {
                    let text = field.node.text ?? ""
                    context.report(
                        "'{\(name)...}' is for a path", at: field.node,
                        fix: "write '{\(name)}'", replacing: field.node,
                        with: field.node.with(
                            text: text.replacing("{\(name)...}", with: "{\(name)}")))
                }
            }
            let query = route.query.filter { $0.value.onlyPlaceholder == nil }
            for (place, fields) in [("header field", route.headers), ("text", query)] {
                for field in fields {
                    for parameter in field.value.placeholders.compactMap(route.parameter) {
                        checkText(parameter, place, at: field.node, route)
                    }
                }
            }
            guard route.isMultipart else { return }
            for parameter in route.rest
            where !["Data", "URL"].contains((parameter.wrapped ?? parameter.type).lastName) {
                checkText(parameter, "part of a form", at: route.attribute, route)
            }
        }

        private func checkText(
            _ parameter: Route.Parameter, _ place: String, at node: some SyntaxProtocol,
            _ route: Route
        ) {
            guard !isFit(parameter.wrapped ?? parameter.type) else { return }
            let type: TypeSyntax = parameter.isOptional ? "String?" : "String"
            context.report(
                "'\(parameter.name)' is a '\(parameter.typeText)', which is no \(place)",
                at: node, fix: "make it '\(type)'", replacing: route.declaration,
                with: route.declaration.replacingType(of: parameter.name, with: type))
        }

        // MARK: Body

        private func checkBody(_ route: Route) {
            if let body = route.body, ["GET", "HEAD"].contains(route.method) {
                reportBody("a \(route.method) has no body", at: body.node, route)
            }
            if route.task != nil { checkTask(route) }
            guard route.isMultipart else { return }
            if !["POST", "PUT", "PATCH"].contains(route.method) {
                reportBody("a \(route.method) has no form", at: route.attribute, route)
            }
            if let body = route.body {
                context.report("a form is the body already", at: body.node)
            }
        }

        /// Checks that a case with a task has no body and no query, because the task provides both.
        private func checkTask(_ route: Route) {
            if let body = route.body {
                context.report("the task has the body already", at: body.node)
            }
            if route.isMultipart {
                context.report("the task has the body already", at: route.attribute)
            }
            for item in route.query {
                context.report("the task has the query already", at: item.node)
            }
        }

        private func reportBody(_ text: String, at node: some SyntaxProtocol, _ route: Route) {
            guard ["DELETE", "GET", "HEAD", "OPTIONS", "QUERY"].contains(route.attribute.name)
            else { return context.report(text, at: node) }
            var mended = route.attribute
            mended.attributeName = TypeSyntax(stringLiteral: "POST")
            context.report(
                text, at: node, fix: "make it a POST", replacing: route.attribute, with: mended)
        }

        // MARK: Several routes

        private func checkRequestLines(_ routes: [Route]) {
            var seen: [[String]: Route] = [:]
            for route in routes {
                guard let first = seen[route.shape] else {
                    seen[route.shape] = route
                    continue
                }
                context.report(
                    "'\(route.caseName)' has the request line of '\(first.caseName)': "
                        + route.requestLine, at: route.pathNode,
                    fix: "add the name of the case", replacing: route.pathNode,
                    with: route.pathNode.with(
                        text: (route.pathNode.text ?? "") + "/" + route.caseName))
            }
        }
    }

    extension Template {
        /// Whether the path begins with a slash.
        fileprivate var isRooted: Bool {
            if case .text(let text) = parts.first { text.hasPrefix("/") } else { false }
        }

        /// Whether `character` occurs outside of the placeholders.
        fileprivate func holds(_ character: Character) -> Bool {
            parts.contains {
                if case .text(let text) = $0 { text.contains(character) } else { false }
            }
        }
    }

    extension ExprSyntax {
        /// Returns this dictionary without the field with the value `node`, and the name of that
        /// field. `nil` for other expressions, and for a dictionary with a single field.
        fileprivate func removing(
            _ node: StringLiteralExprSyntax
        ) -> (name: String, others: ExprSyntax)? {
            guard var dictionary = self.as(DictionaryExprSyntax.self),
                case .elements(var elements) = dictionary.content, elements.count > 1,
                let index = elements.firstIndex(where: { $0.value.id == node.id })
            else { return nil }
            let name = elements[index].key.trimmedDescription
            elements.remove(at: index)
            if let last = elements.indices.last { elements[last].trailingComma = nil }
            dictionary.content = .elements(elements)
            return (name, ExprSyntax(dictionary))
        }
    }

    extension EnumCaseDeclSyntax {
        fileprivate func replacingType(
            of name: String, with type: TypeSyntax
        ) -> EnumCaseDeclSyntax {
            var mended = self
            guard let index = mended.elements.indices.first,
                var clause = mended.elements[index].parameterClause
            else { return self }
            for position in clause.parameters.indices {
                let parameter = clause.parameters[position]
                guard (parameter.secondName ?? parameter.firstName)?.plainName == name else {
                    continue
                }
                clause.parameters[position].type = type.trimmed
                clause.parameters[position].defaultValue = nil
            }
            mended.elements[index].parameterClause = clause
            return mended
        }
    }
#endif

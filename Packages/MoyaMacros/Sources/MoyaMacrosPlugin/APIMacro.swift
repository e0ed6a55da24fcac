#if Macros
    import Foundation
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Generates a target type from an enum whose cases have ``RouteMacro`` attributes.
    struct APIMacro: ExtensionMacro {
        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingExtensionsOf type: some TypeSyntaxProtocol,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [ExtensionDeclSyntax] {
            guard let declaration = declaration.as(EnumDeclSyntax.self) else {
                context.report("@API belongs to an enum, with a case for each request", at: node)
                return []
            }
            let cases = declaration.memberBlock.members.compactMap {
                $0.decl.as(EnumCaseDeclSyntax.self)
            }
            let conditional = declaration.memberBlock.members.compactMap {
                $0.decl.as(IfConfigDeclSyntax.self)
            }.filter(\.hasCases)
            for configuration in conditional {
                context.report(
                    "@API cannot tell which of these cases are compiled: write them without #if",
                    at: configuration)
            }
            if cases.isEmpty, conditional.isEmpty {
                context.report("an API has a case for each request", at: declaration.name)
            }
            let typeName = type.trimmedDescription
            let names = SentNames(node, cases: cases, in: context)
            let reader = RouteReader(context: context, type: typeName, names: names)
            let routes = cases.compactMap(reader.route)
            let checks = RouteChecks(context: context)
            checks.check(routes)
            guard checks.checkCaseNames(routes),
                var expansion = Expansion(node, typeName, routes, in: context),
                routes.count == cases.count, !routes.isEmpty, conditional.isEmpty
            else { return [] }
            expansion.adopt(declaration, in: context.lexicalContext)
            return [try ExtensionDeclSyntax("\(raw: expansion.text)")]
        }
    }

    extension IfConfigDeclSyntax {
        fileprivate var hasCases: Bool {
            clauses.contains { clause in
                guard case .decls(let members) = clause.elements else { return false }
                return members.contains {
                    $0.decl.is(EnumCaseDeclSyntax.self)
                        || $0.decl.as(IfConfigDeclSyntax.self)?.hasCases == true
                }
            }
        }
    }

    extension DeclSyntax {
        /// The name of a type declaration. `nil` for other declarations.
        fileprivate var typeName: String? {
            guard
                self.is(TypeAliasDeclSyntax.self)
                    || asProtocol((any DeclGroupSyntax).self) != nil
            else { return nil }
            return asProtocol((any NamedDeclSyntax).self)?.name.plainName
        }
    }

    extension DeclModifierListSyntax {
        fileprivate var accessLevel: String? {
            lazy.map(\.name.text).first {
                ["fileprivate", "internal", "package", "private", "public"].contains($0)
            }
        }
    }

    extension AttributeListSyntax {
        /// The `@available` attributes.
        var availability: [String] {
            compactMap { $0.as(AttributeSyntax.self) }.filter { $0.name == "available" }
                .map(\.trimmedDescription)
        }
    }

    extension Expansion {
        /// Copies access level and availability of the enum, or of its surroundings, and the names
        /// of its members.
        fileprivate mutating func adopt(_ declaration: EnumDeclSyntax, in surroundings: [Syntax]) {
            let level =
                declaration.modifiers.accessLevel
                ?? surroundings.first?.as(ExtensionDeclSyntax.self)?.modifiers.accessLevel
            if let level, ["public", "package"].contains(level) { access = level + " " }
            availability =
                declaration.attributes.availability
                + surroundings.flatMap {
                    $0.asProtocol((any DeclGroupSyntax).self)?.attributes.availability ?? []
                }
            present = Set(
                declaration.memberBlock.members.flatMap { member in
                    member.decl.as(VariableDeclSyntax.self)?.bindings
                        .map(\.pattern.trimmedDescription)
                        ?? [member.decl.typeName].compactMap { $0 }
                })
        }

        /// Reads the arguments of `@API`. Reports an error and returns `nil` if they have no valid
        /// base URL.
        fileprivate init?(
            _ node: AttributeSyntax, _ type: String, _ routes: [Route],
            in context: some MacroExpansionContext
        ) {
            guard case .argumentList(let arguments) = node.arguments, let first = arguments.first
            else { return nil }
            guard let literal = first.expression.as(StringLiteralExprSyntax.self),
                let text = literal.text, let url = URL(string: text), url.host?.isEmpty == false,
                ["http", "https"].contains(url.scheme?.lowercased())
            else {
                context.report(
                    "write the base URL in quotes, with http or https and a host", at: first)
                return nil
            }
            self.init(type: type, baseURL: text, routes: routes)
            for argument in arguments.dropFirst() {
                let value = argument.expression.trimmedDescription
                switch argument.label?.text {
                case "headers": headers = value
                case "query": queryEncoder = value
                case "failure":
                    guard let member = argument.expression.as(MemberAccessExprSyntax.self),
                        let base = member.base, member.declName.baseName.text == "self"
                    else {
                        context.report(
                            "write the type of the error body as 'APIError.self'", at: argument)
                        return nil
                    }
                    failure = base.text(naming: type)
                default: break
                }
            }
        }
    }
#endif

#if Macros
    /// The code of the typed calls: the list of the cases, and the requests as functions.
    extension Expansion {
        var listedCases: String? {
            guard !present.contains("listedCases") else { return nil }
            let cases = routes.map { route in
                let example = route.exampleExpression ?? "nil"
                let code =
                    "listed.append(MoyaMacros.ResponseValue<\(route.response)>()"
                    + ".listed(\"\(route.caseName.escaped)\", example: \(example)))"
                return route.line?.reporting(code) ?? code
            }
            // The use of a deprecated case is no warning in a deprecated declaration.
            let isDeprecated = routes.contains { $0.isDeprecated && $0.exampleExpression != nil }
            let availability = isDeprecated ? "@available(*, deprecated)\n" : ""
            return """
                \(availability)\(access)static var listedCases: [Moya.ListedCase<\(type)>] {
                    var listed: [Moya.ListedCase<\(type)>] = []
                \(cases.joined(separator: "\n").indented)
                    return listed
                }
                """
        }

        var requests: String? {
            var functions = routes.map { route in
                route.function(
                    "\(access)func", returning: "async throws -> \(route.response)",
                    "try await MoyaMacros.ResponseValue<\(route.response)>()"
                        + ".value(of: apiSender(\(route.call)))")
            }
            let lists = routes.filter(\.mayBeList).map { route in
                route.function(
                    "\(access)static func", returning: "-> APIList<\(route.response)>",
                    "APIList<\(route.response)>(target: \(route.call), "
                        + "value: MoyaMacros.ResponseValue<\(route.response)>())")
            }
            if !lists.isEmpty { functions += [pages, list(lists)] }
            return """
                \(access)nonisolated struct Requests: MoyaMacros.APIRequests {
                    private let apiSender: MoyaMacros.APISender<\(type)>

                    \(access)init(send: MoyaMacros.APISender<\(type)>) {
                        apiSender = send
                    }

                \(functions.joined(separator: "\n\n").indented)
                }
                """
        }

        /// The function that reads a list page by page.
        private var pages: String {
            """
            /// Returns the decoded pages of a list, which link to their successors.
            \(access)func pages<APIElement: Sendable>(of list: APIList<APIElement>, limit: Int = 1000) -> Moya.PageSequence<APIElement> {
                apiSender.pages(of: list.target, as: list.value, limit: limit)
            }
            """
        }

        /// The type of the lists, with a function for each case.
        private func list(_ functions: [String]) -> String {
            """
            /// A request whose response is a page with elements of one type, for `pages(of:)`.
            \(access)nonisolated struct APIList<APIElement: Sendable>: Sendable {
                fileprivate let target: \(type)
                fileprivate let value: MoyaMacros.ResponseValue<APIElement>

            \(functions.joined(separator: "\n\n").indented)
            }
            """
        }
    }

    extension Route {
        /// Whether links of the response may lead to further pages, which have the same type.
        fileprivate var mayBeList: Bool {
            ["GET", "QUERY"].contains(method)
                && !["Moya.Response", "Void", "()"].contains(response)
        }

        /// Returns a function with the parameters of the case.
        fileprivate func function(
            _ keyword: String, returning result: String, _ body: String
        ) -> String {
            let attributes = availability.map { $0 + "\n" }.joined()
            // The line of the comment, so that the function's own is that of the case.
            let skipped = attributes.split(separator: "\n").count + 1
            let end = line == nil ? "" : "\n\(SourceLine.end)"
            return """
                \(line?.directive(skipping: skipped) ?? "")\
                /// `\(method) \((pathNode.text ?? "").escaped)`
                \(attributes)\(keyword) \(caseName.identifier)(\(signature)) \(result) {
                \(line?.directive() ?? "")    \(body)
                }\(end)
                """
        }

        /// The parameters of the request function. Optional parameters default to `nil`.
        fileprivate var signature: String {
            parameters.map { parameter in
                let fallback = parameter.defaultValue ?? (parameter.isOptional ? "nil" : nil)
                return (parameter.isLabeled ? "" : "_ ")
                    + "\(parameter.name.label): \(parameter.typeText)"
                    + (fallback.map { " = \($0)" } ?? "")
            }.joined(separator: ", ")
        }

        fileprivate var call: String { construction(\.identifier) ?? ".\(caseName.identifier)" }

        /// The case with the values of its example, or `nil` if a value is missing.
        fileprivate var exampleExpression: String? {
            let values = Dictionary(example.map { ($0.name, $0.value) }) { $1 }
            return construction { name in
                guard let parameter = parameter(name) else { return nil }
                return values[name] ?? parameter.defaultValue
                    ?? (parameter.isOptional ? "nil" : nil)
            }
        }

        private func construction(_ value: (String) -> String?) -> String? {
            guard !parameters.isEmpty else { return ".\(caseName.identifier)" }
            var arguments: [String] = []
            for parameter in parameters {
                guard let value = value(parameter.name) else { return nil }
                arguments.append(
                    parameter.isLabeled ? "\(parameter.name.label): \(value)" : value)
            }
            return ".\(caseName.identifier)(\(arguments.joined(separator: ", ")))"
        }
    }
#endif

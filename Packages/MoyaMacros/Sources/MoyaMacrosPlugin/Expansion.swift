#if Macros
    import SwiftSyntax

    /// The code that ``APIMacro`` generates: that of a hand-written target.
    struct Expansion {
        let type: String
        let baseURL: String
        let routes: [Route]
        /// The source text of the API's header fields and of its query encoder.
        var headers: String?
        var queryEncoder: String?
        /// The type of the API's error body.
        var failure: String?
        /// `public ` for a public enum.
        var access = ""
        /// The `@available` attributes of the enum and of the enclosing types.
        var availability: [String] = []
        /// Names of the members that the enum declares.
        var present: Set<String> = []

        init(type: String, baseURL: String, routes: [Route]) {
            self.type = type
            self.baseURL = baseURL
            self.routes = routes
        }

        var text: String {
            let members = [
                failureType, baseURLMember, path, method, task, headerFields, validationType,
                sampleData, listedCases, requests,
            ]
            let text = """
                nonisolated extension \(type): MoyaMacros.APITarget {
                \(members.compactMap { $0 }.joined(separator: "\n\n").indented)
                }
                """
            return (availability + [text]).joined(separator: "\n")
        }

        // MARK: Members

        private func member(_ name: String, _ type: String, _ body: String) -> String? {
            guard !present.contains(name) else { return nil }
            return "\(access)var \(name): \(type) {\n\(body.indented)\n}"
        }

        private var failureType: String? {
            guard let failure, !present.contains("Failure") else { return nil }
            return "\(access)typealias Failure = \(failure)"
        }

        private var baseURLMember: String? {
            member(
                "baseURL", "URL",
                "URL(string: \"\(baseURL.escaped)\") ?? URL(fileURLWithPath: \"/\")")
        }

        private var path: String? {
            member(
                "path", "String",
                switched { route in
                    let text = route.path.parts.map { part in
                        switch part {
                        case .text(let text): text.escaped
                        case .placeholder(let name): "\\(segment: \(name.identifier))"
                        case .segments(let name): "\\(segments: \(name.identifier))"
                        }
                    }
                    return Choice(names: route.path.placeholders, value: "\"\(text.joined())\"")
                })
        }

        private var method: String? {
            member(
                "method", "Moya.Method",
                switched { route in
                    let name = route.method.lowercased()
                    let isKnown = Route.methods.contains(route.method)
                    return Choice(
                        value: isKnown
                            ? ".\(name)" : "Moya.Method(rawValue: \"\(route.method)\")")
                })
        }

        private var validationType: String? {
            member(
                "validationType", "Moya.ValidationType",
                switched { route in
                    Choice(
                        value: route.validation ?? ".successCodes",
                        isWritten: route.validation != nil)
                })
        }

        private var sampleData: String? {
            member(
                "sampleData", "Data",
                switched { route in
                    guard let sample = route.sample else { return Choice(value: "Data()") }
                    return Choice(
                        value: "MoyaMacros.ResponseValue<\(route.response)>().data(of: \(sample))",
                        isWritten: true)
                })
        }

        private var task: String? {
            member("task", "Moya.Task", switched(task))
        }

        private func task(of route: Route) -> Choice {
            if let task = route.task {
                let arguments = route.parameters.map {
                    $0.isLabeled
                        ? "\($0.name.label): \($0.name.identifier)" : $0.name.identifier
                }
                return Choice(
                    names: route.parameters.map(\.name),
                    value: "Self.\(task)(\(arguments.joined(separator: ", ")))", isWritten: true)
            }
            var names: [String] = []
            var value: String?
            if let body = route.body.flatMap({ route.parameter($0.name) }) {
                names.append(body.name)
                value =
                    body.isOptional
                    ? "(\(body.name.identifier).map { Moya.Task.requestEncodable($0) }"
                        + " ?? .requestPlain)"
                    : ".requestEncodable(\(body.name.identifier))"
            } else if route.isMultipart {
                names += route.rest.map(\.name)
                value = ".uploadMultipartFormData(\(form(of: route)))"
            }
            let (queryNames, items) = query(of: route)
            guard !items.isEmpty else {
                return Choice(names: names, value: value ?? ".requestPlain")
            }
            let fields = "MoyaMacros.QueryFields([\(items.joined(separator: ", "))])"
            let encoder = queryEncoder.map { ", encoder: \($0)" } ?? ""
            let task =
                value.map { "\($0).addingQuery(\(fields)\(encoder))" }
                ?? ".requestQuery(\(fields)\(encoder))"
            return Choice(names: names + queryNames, value: task)
        }

        /// Returns a form of the parameters without another use. Optional parts are omitted if they
        /// are `nil`.
        private func form(of route: Route) -> String {
            let parts = route.rest.map { parameter in
                let wrapped = parameter.wrapped
                let value = wrapped == nil ? parameter.name.identifier : "$0"
                let content =
                    switch (wrapped ?? parameter.type).lastName {
                    case "URL": ".file(\(value))"
                    case "Data": ".data(\(value))"
                    default: ".data(Data(\"\\(field: \(value))\".utf8))"
                    }
                let part =
                    "MultipartFormBodyPart(provider: \(content), name: \"\(parameter.sentName.escaped)\")"
                return wrapped == nil ? part : "\(parameter.name.identifier).map { \(part) }"
            }
            let list = "[\(parts.joined(separator: ", "))]"
            guard route.rest.contains(where: \.isOptional) else {
                return "MultipartFormData(parts: \(list))"
            }
            return "MultipartFormData(parts: \(list).compactMap { $0 })"
        }

        private func query(of route: Route) -> (names: [String], items: [String]) {
            var names = route.query.flatMap(\.value.placeholders)
            var items = route.query.map { field in
                let value = field.value.onlyPlaceholder?.identifier ?? route.text(of: field.value)
                return "\"\(field.name.escaped)\": \(value)"
            }
            if !route.isMultipart {
                names += route.rest.map(\.name)
                items += route.rest.map { "\"\($0.sentName.escaped)\": \($0.name.identifier)" }
            }
            return (names, items)
        }

        private var headerFields: String? {
            member(
                "headers", "[String: String]?",
                switched { route in
                    guard !route.headers.isEmpty else { return Choice(value: headers ?? "nil") }
                    let fields = route.headers.map {
                        "\"\($0.name.escaped)\": \(route.text(of: $0.value))"
                    }
                    let names = route.headers.flatMap(\.value.placeholders)
                    let own = "MoyaMacros.HeaderFields([\(fields.joined(separator: ", "))])"
                    return Choice(names: names, value: "\(own).over(\(headers ?? "[:]"))")
                })
        }

        // MARK: Switches

        /// The value of a property for a case.
        private struct Choice {
            /// The parameters that it uses.
            var names: [String] = []
            var value: String
            /// Whether it contains code of the attribute.
            var isWritten = false
        }

        /// Returns a `switch` over the cases, with cases of equal values merged, or the value alone
        /// if all cases have it.
        private func switched(_ make: (Route) -> Choice) -> String {
            var lines: [(patterns: [String], choice: Choice, code: String)] = []
            for route in routes {
                let choice = make(route)
                let pattern = route.pattern(binding: Set(choice.names))
                let same = lines.firstIndex {
                    $0.choice.names.isEmpty && $0.choice.value == choice.value
                }
                if choice.names.isEmpty, let same {
                    lines[same].patterns.append(pattern)
                } else {
                    let isUsers = choice.isWritten || !choice.names.isEmpty
                    let line = isUsers ? route.line : nil
                    let code = line?.reporting(choice.value) ?? choice.value
                    lines.append(([pattern], choice, code))
                }
            }
            if lines.count == 1, let only = lines.first, only.choice.names.isEmpty {
                return only.code
            }
            let cases = lines.map { line in
                "case \(line.patterns.joined(separator: ", ")):\n\(line.code)"
            }
            return "switch self {\n\(cases.joined(separator: "\n"))\n}"
        }
    }

    extension Route {
        /// Returns the pattern of the case, such as `.user(let name, _)`.
        fileprivate func pattern(binding names: Set<String>) -> String {
            guard !names.isEmpty else { return ".\(caseName.identifier)" }
            let values = parameters.map {
                names.contains($0.name) ? "let \($0.name.identifier)" : "_"
            }
            return ".\(caseName.identifier)(\(values.joined(separator: ", ")))"
        }

        /// Returns the text of a field. In the generated code it is `nil` if one of its parameters
        /// is `nil`.
        fileprivate func text(of template: Template) -> String {
            let parts = template.parts.map { part in
                switch part {
                case .text(let text): text.escaped
                case .placeholder(let name), .segments(let name): "\\(field: \(name.identifier))"
                }
            }
            let optionals = template.placeholders.filter { parameter($0)?.isOptional == true }
            return optionals.reversed().enumerated().reduce("\"\(parts.joined())\"") {
                value, optional in
                let name = optional.element.identifier
                return "\(name).\(optional.offset == 0 ? "map" : "flatMap") { \(name) in \(value) }"
            }
        }
    }
#endif

import Foundation
import MoyaCore

extension OpenAPIDocument {
    /// Compares a request with the document: path, method, parameters in the path, the query,
    /// header fields and cookies, and the body.
    ///
    /// ```swift
    /// #expect(document.problems(with: try #require(network.requests.first)) == [])
    /// ```
    ///
    /// JSON and URL-encoded forms are compared with their schemas, of other bodies the media type
    /// only. A streamed body, security requirements, and parameters that are objects are not
    /// checked. Parameters that the document does not have are no problem.
    ///
    /// - Returns: The differences as sentences that name the place. Empty if there are none.
    public func problems(with request: TransportRequest) -> [String] {
        switch find(request.requestMethod.rawValue, request.urlRequest.url) {
        case .found(let match): problems(with: request, match)
        case .missing(let reason, _): [reason]
        }
    }

    func problems(with request: TransportRequest, _ match: Match) -> [String] {
        parameterProblems(request, match) + bodyProblems(request, match.operation)
    }

    private func parameterProblems(_ request: TransportRequest, _ match: Match) -> [String] {
        let query = Dictionary(grouping: request.queryItems, by: \.name)
        let cookies = Dictionary(
            grouping: Self.pairs(request.urlRequest.value(forHTTPHeaderField: "Cookie"))
        ) { $0.name }
        let path = match.operation.placeholders(in: match.path, below: serverPaths)
        return match.operation.parameters(in: root).flatMap { parameter -> [String] in
            let name = parameter.name
            let texts: [String]
            switch parameter.location {
            case "query": texts = (query[name] ?? []).map { $0.value ?? "" }
            case "header":
                texts = request.urlRequest.value(forHTTPHeaderField: name).map { [$0] } ?? []
            case "cookie": texts = (cookies[name] ?? []).map { $0.value }
            default:
                guard let text = path[name] else { return [] }
                texts = [text]
            }
            return parameter.problems(with: texts, of: match.operation, in: root)
        }
    }

    /// Returns the cookies of a `Cookie` field.
    private static func pairs(_ field: String?) -> [(name: String, value: String)] {
        (field ?? "").split(separator: ";").compactMap {
            pair -> (name: String, value: String)? in
            let parts = pair.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2 else { return nil }
            return (name: parts[0], value: parts[1])
        }
    }

    private func bodyProblems(
        _ request: TransportRequest, _ operation: OpenAPIOperation
    ) -> [String] {
        if case .stream = request.body { return [] }
        let data = request.bodyBytes ?? Data()
        guard let wanted = operation.requestBody(in: root) else { return [] }
        guard !data.isEmpty else {
            return wanted["required"] == .bool(true)
                ? ["The request has no body, which \(operation) requires."] : []
        }
        let content = wanted["content"]?.members ?? [:]
        let given = request.urlRequest.value(forHTTPHeaderField: "Content-Type")?.mediaType
        guard let type = OpenAPIOperation.mediaType(given ?? "", among: content.keys) else {
            let known = content.keys.sorted().joined(separator: ", ")
            let shown = given ?? "no Content-Type"
            return ["\(operation) takes \(known), and not \(shown)."]
        }
        guard let schema = content[type]?["schema"] else { return [] }
        let checker = JSONSchema(schema, in: root, direction: .request)
        if type.isJSON {
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
                return ["The body is no JSON."]
            }
            return checker.problems(with: value, at: "body")
        }
        guard type.mediaType == "application/x-www-form-urlencoded" else { return [] }
        return checker.problems(with: form(data, schema), at: "body")
    }

    /// Returns the fields of a URL-encoded form as the schema's types.
    private func form(_ data: Data, _ schema: JSONValue) -> JSONValue {
        var components = URLComponents()
        components.percentEncodedQuery = String(decoding: data, as: UTF8.self)
            .replacingOccurrences(of: "+", with: "%20")
        let properties = JSONSchema.resolved(schema, in: root)["properties"]
        let fields = Dictionary(grouping: components.queryItems ?? [], by: \.name)
        return .object(
            Dictionary(
                uniqueKeysWithValues: fields.map { name, items in
                    let property = properties?[name] ?? [:]
                    let resolved = JSONSchema.resolved(property, in: root)
                    let isArray = JSONSchema.types(of: resolved).contains("array")
                    let checker = JSONSchema(
                        isArray ? resolved["items"] ?? [:] : property, in: root,
                        direction: .request)
                    let values = items.map { checker.value(ofText: $0.value ?? "") }
                    return (name, isArray ? .array(values) : values[0])
                }))
    }
}

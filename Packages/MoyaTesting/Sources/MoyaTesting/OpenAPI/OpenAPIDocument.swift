import Foundation
import MoyaCore
import MoyaStubs

/// What an API says about itself: an OpenAPI 3 document, in JSON.
///
/// ```swift
/// let document = try OpenAPIDocument(contentsOf: file)
/// #expect(catalog.check(against: document).problems == [])
/// ```
///
/// Looked at are paths with their templates, methods, statuses, media types of answers, required parameters of
/// queries, and of schemas `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`,
/// `nullable`, `allOf`, `oneOf`, `anyOf`, `not`, `$ref` within the document, and the limits on numbers, lengths
/// and counts. ``unchecked`` names what else the document's schemas say.
public struct OpenAPIDocument: Sendable {
    /// Why a document cannot be used.
    public struct Failure: Error, CustomStringConvertible, LocalizedError, Equatable {
        /// What is wrong with it.
        public let description: String
        public var errorDescription: String? { description }
    }

    /// The document's version of OpenAPI: `3.0.3`, for example.
    public let version: String
    /// Keywords of schemas in the document that nothing is compared with, such as `pattern`.
    public let unchecked: [String]
    let root: JSONValue
    let operations: [OpenAPIOperation]

    /// A document out of its JSON.
    ///
    /// - Throws: ``Failure`` for what is no JSON, or no OpenAPI 3.
    public init(json: Data) throws {
        do {
            root = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            throw Failure(
                description: "The OpenAPI document is no JSON. YAML has to be converted first.")
        }
        guard let version = root["openapi"]?.text, version.hasPrefix("3.") else {
            throw Failure(
                description: "The document has no \"openapi\" that begins with \"3.\".")
        }
        self.version = version
        operations = OpenAPIOperation.all(in: root)
        unchecked = JSONSchema.unchecked(in: root).sorted()
    }

    /// The document in a file. See ``init(json:)``.
    public init(contentsOf file: URL) throws {
        try self.init(json: try Data(contentsOf: file))
    }

    /// What in an exchange is not as the document says.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - url: The request's URL. The paths of the document's servers may stand before its path.
    ///   - status: The status of the answer.
    ///   - contentType: The media type of the answer. `nil` takes the first one documented, JSON before others.
    ///   - body: The body of the answer.
    /// - Returns: Sentences. Empty where all is as documented.
    public func problems(
        method: String, url: URL, status: Int, contentType: String? = nil, body: Data
    ) -> [String] {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? url.path
        let candidates = operations.filter { $0.matches(path, below: serverPaths) }
        guard !candidates.isEmpty else {
            return ["The document has no path like \(path)."]
        }
        // A segment that is written out counts before one that is a template.
        guard
            let operation = candidates.filter({ $0.method == method.uppercased() })
                .min(by: { $0.templateCount < $1.templateCount })
        else {
            let known = Set(candidates.map(\.method)).sorted().joined(separator: ", ")
            return ["The document has \(known) for \(path), and no \(method)."]
        }
        let given = Set((components?.queryItems ?? []).map(\.name))
        let missing = operation.requiredQuery(in: root).filter { !given.contains($0) }
        return missing.map { "The query lacks \"\($0)\", which \(operation) requires." }
            + answerProblems(operation, status, contentType, body)
    }

    private func answerProblems(
        _ operation: OpenAPIOperation, _ status: Int, _ contentType: String?, _ body: Data
    ) -> [String] {
        guard let answer = operation.answer(for: status, in: root) else {
            let known = operation.statuses.sorted().joined(separator: ", ")
            return ["\(operation) has no answer with the status \(status), but \(known)."]
        }
        guard let content = answer["content"]?.members, !content.isEmpty else {
            return body.isEmpty
                ? [] : ["\(operation) answers \(status) without a body, and this one has one."]
        }
        let wanted = contentType?.mediaType
        guard let type = OpenAPIOperation.mediaType(wanted, among: content.keys) else {
            let known = content.keys.sorted().joined(separator: ", ")
            let given = wanted.flatMap { $0.isEmpty ? nil : $0 } ?? "an empty media type"
            return ["\(operation) answers \(status) with \(known), and not with \(given)."]
        }
        guard type.isJSON, let schema = content[type]?["schema"] else { return [] }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: body) else {
            return [
                body.isEmpty ? "The body is empty, and has to be JSON." : "The body is no JSON."
            ]
        }
        return JSONSchema(schema, in: root).problems(with: value)
    }

    /// The paths that stand before the document's own.
    private var serverPaths: [String] {
        let urls = root["servers"]?.elements?.compactMap { $0["url"]?.text } ?? []
        let paths = urls.map { text -> String in
            let path = URLComponents(string: text)?.percentEncodedPath ?? ""
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        return paths + [""]
    }
}

extension String {
    /// A media type without its parameters, in lower case.
    var mediaType: String {
        prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    var isJSON: Bool { mediaType == "application/json" || mediaType.hasSuffix("+json") }
}

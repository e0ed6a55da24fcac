import Foundation
import MoyaCore

/// An OpenAPI 3 document, in JSON, or in YAML with the trait `YAML`.
///
/// ```swift
/// let document = try OpenAPIDocument(contentsOf: file)
/// #expect(catalog.check(against: document).problems == [])
/// ```
///
/// Checks requests (``problems(with:)``) and responses: paths with their templates, methods,
/// parameters, statuses, media types and bodies. Of schemas it checks `type`, `properties`,
/// `required`, `additionalProperties`, `items`, `enum`, `const`, `nullable`, `allOf`, `oneOf`,
/// `anyOf`, `not`, `$ref` within the document, and the limits of numbers, lengths and counts.
/// ``unchecked`` lists the other keywords in the document's schemas.
public struct OpenAPIDocument: Sendable {
    /// The document cannot be used.
    public struct Failure: Error, CustomStringConvertible, LocalizedError, Equatable {
        /// The reason.
        public let description: String
        /// The ``description``.
        public var errorDescription: String? { description }
    }

    /// Keywords in the document's schemas that are not checked, such as `pattern`.
    public let unchecked: [String]
    let root: JSONValue
    let operations: [OpenAPIOperation]

    /// Decodes a document.
    ///
    /// - Throws: ``Failure`` if the data is not JSON, or not an OpenAPI 3 document.
    public init(json: Data) throws {
        let root: JSONValue
        do {
            root = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            throw Failure(
                description: "The OpenAPI document is no JSON. For YAML, use init(yaml:).")
        }
        try self.init(root: root)
    }

    init(root: JSONValue) throws {
        guard root["openapi"]?.text?.hasPrefix("3.") == true else {
            throw Failure(
                description: "The document has no \"openapi\" that begins with \"3.\".")
        }
        self.root = root
        operations = OpenAPIOperation.all(in: root)
        unchecked = JSONSchema.unchecked(in: root).sorted()
    }

    /// Reads a document from a file: YAML if its extension is `yaml` or `yml`, otherwise JSON.
    ///
    /// - Throws: Foundation's error if the file cannot be read; ``Failure`` as in ``init(json:)``,
    ///   and for YAML if the trait `YAML` is off.
    public init(contentsOf file: URL) throws {
        let data = try Data(contentsOf: file)
        guard ["yaml", "yml"].contains(file.pathExtension.lowercased()) else {
            try self.init(json: data)
            return
        }
        #if YAML
            try self.init(yaml: data)
        #else
            throw Failure(
                description: "Turn on the trait YAML to read \(file.lastPathComponent).")
        #endif
    }

    /// Compares an exchange with the document.
    ///
    /// - Parameters:
    ///   - method: HTTP method of the request.
    ///   - url: URL of the request. Its path may begin with the path of one of the document's
    ///     servers.
    ///   - status: Status code of the response.
    ///   - contentType: Media type of the response. `nil` assumes a JSON media type of the
    ///     document, or else the first media type in alphabetical order.
    ///   - body: Body of the response.
    /// - Returns: The differences as sentences. Empty if there are none.
    public func problems(
        method: String, url: URL, status: Int, contentType: String? = nil, body: Data
    ) -> [String] {
        switch find(method, url) {
        case .missing(let reason, _): return [reason]
        case .found(let match):
            let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
            let given = Set((items ?? []).map(\.name))
            let operation = match.operation
            let missing = operation.requiredQuery(in: root).filter { !given.contains($0) }
            return missing.map { "The query lacks \"\($0)\", which \(operation) requires." }
                + answerProblems(operation, status, contentType, body)
        }
    }

    /// The operation for a request, and the request's path.
    struct Match {
        let operation: OpenAPIOperation
        let path: String
    }

    enum Lookup {
        case found(Match)
        /// The reason, and the methods that the document has for the path.
        case missing(String, [String])
    }

    func find(_ method: String, _ url: URL?) -> Lookup {
        let components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = components?.percentEncodedPath ?? ""
        let candidates = operations.filter { $0.matches(path, below: serverPaths) }
        guard !candidates.isEmpty else {
            return .missing("The document has no path like \(path).", [])
        }
        // A literal segment takes precedence over a placeholder.
        guard
            let operation = candidates.filter({ $0.method == method.uppercased() })
                .min(by: { $0.isMoreSpecific(than: $1) })
        else {
            let known = Set(candidates.map(\.method)).sorted()
            let shown = known.joined(separator: ", ")
            return .missing("The document has \(shown) for \(path), and no \(method).", known)
        }
        return .found(Match(operation: operation, path: path))
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
        return JSONSchema(schema, in: root, direction: .response).problems(with: value)
    }

    /// Paths of the document's servers with the defaults of their variables, and the empty path.
    var serverPaths: [String] {
        let paths = (root["servers"]?.elements ?? []).map { server -> String in
            var text = server["url"]?.text ?? ""
            for (name, variable) in server["variables"]?.members ?? [:] {
                text = text.replacingOccurrences(
                    of: "{\(name)}", with: variable["default"]?.text ?? "")
            }
            let path = URLComponents(string: text)?.percentEncodedPath ?? ""
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        return paths + [""]
    }
}

extension String {
    /// The media type without parameters, in lower case.
    var mediaType: String {
        prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    var isJSON: Bool { mediaType == "application/json" || mediaType.hasSuffix("+json") }
}

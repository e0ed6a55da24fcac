import Foundation
import MoyaCore

extension OpenAPIDocument {
    /// Answers a request with the example of the document, for mock servers and stubs.
    ///
    /// The response has the lowest documented status from 200 to 299, or else `default` with status
    /// 200, or else the lowest status. Its body is the example of the document, or is made from the
    /// schema. `Accept` selects its media type.
    ///
    /// A request that the document does not allow gets a problem document (RFC 9457) with the
    /// ``problems(with:)``: status 404 for an unknown path, 405 for an unknown method, otherwise
    /// 400. Status 500 says that a schema has no example, and that none could be made.
    ///
    /// - Throws: `URLError(.badURL)` for a request without a URL.
    public func response(to request: TransportRequest) throws -> TransportResponse {
        switch find(request.requestMethod.rawValue, request.urlRequest.url) {
        case .missing(let reason, let methods):
            let allow = HeaderField(name: "Allow", value: methods.joined(separator: ", "))
            return try Self.refusal(
                methods.isEmpty ? 404 : 405, [reason], methods.isEmpty ? [] : [allow], request)
        case .found(let match):
            let problems = self.problems(with: request, match)
            guard problems.isEmpty else { return try Self.refusal(400, problems, [], request) }
            do {
                let accept = request.urlRequest.value(forHTTPHeaderField: "Accept")
                let example = try self.example(
                    of: match.operation, status: nil, accept: accept)
                return try .stub(
                    status: example.status, headers: example.fields, data: example.body,
                    for: request)
            } catch let failure as Failure {
                return try Self.refusal(500, [failure.description], [], request)
            }
        }
    }

    private static func refusal(
        _ status: Int, _ problems: [String], _ fields: [HeaderField], _ request: TransportRequest
    ) throws -> TransportResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body: JSONValue = [
            "title": "The OpenAPI document does not allow the request.",
            "status": .number(Double(status)), "detail": .string(problems.joined(separator: " ")),
        ]
        let type = HeaderField(name: "Content-Type", value: "application/problem+json")
        return try .stub(
            status: status, headers: [type] + fields, data: try encoder.encode(body), for: request)
    }

    // MARK: Examples

    /// Status, header fields and body of a documented response.
    struct Example {
        var status: Int
        var fields: [HeaderField]
        var body: Data
    }

    /// - Parameter status: `nil` selects the response of a success.
    func example(
        of operation: OpenAPIOperation, status: Int?, accept: String? = nil
    ) throws -> Example {
        let chosen = status ?? operation.statusOfSuccess
        guard let answer = operation.answer(for: chosen, in: root) else {
            throw Failure(description: "\(operation) has no response with status \(chosen).")
        }
        var example = Example(status: chosen, fields: [], body: Data())
        for (name, header) in (answer["headers"]?.members ?? [:]).sorted(by: { $0.key < $1.key })
        where name.lowercased() != "content-type" {
            let header = JSONSchema.resolved(header, in: root)
            guard let text = value(of: header, or: nil)?.headerText else { continue }
            example.fields.append(HeaderField(name: name, value: text))
        }
        guard let content = answer["content"]?.members, !content.isEmpty,
            let type = Self.mediaType(accept, among: content.keys), let media = content[type]
        else { return example }
        example.fields.insert(
            HeaderField(name: "Content-Type", value: type.contains("*") ? "text/plain" : type),
            at: 0)
        let made = value(of: media, or: type.isJSON ? [:] : "")
        switch made {
        case .some(let value) where type.isJSON:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            example.body = try encoder.encode(value)
        case .string(let text)?: example.body = Data(text.utf8)
        // No rule says how JSON becomes XML or another media type.
        default:
            throw Failure(
                description: "\(operation) has no example for status \(chosen), and none could be "
                    + "made from its schema. Add an example to the document.")
        }
        return example
    }

    /// Returns the example of a media type or header, or one made from its schema, or `fallback`
    /// without both.
    private func value(of media: JSONValue, or fallback: JSONValue?) -> JSONValue? {
        let named = media["examples"]?.members?.sorted { $0.key < $1.key }.first?.value
        let given = media["example"] ?? named.flatMap { JSONSchema.resolved($0, in: root)["value"] }
        guard let schema = media["schema"] else { return given ?? fallback }
        if let given,
            JSONSchema(schema, in: root, direction: .response).problems(with: given).isEmpty
        {
            return given
        }
        return SchemaExample(root: root, direction: .response).value(of: schema)
    }

    /// Returns the first documented media type that an `Accept` field allows, in its order. Without
    /// one, a JSON media type, or else the first in alphabetical order.
    private static func mediaType(
        _ accept: String?, among known: some Collection<String>
    ) -> String? {
        let sorted = known.sorted()
        for range in (accept ?? "").split(separator: ",").map({ String($0).mediaType })
        where range != "*/*" {
            let prefix = range.hasSuffix("/*") ? String(range.dropLast()) : nil
            let found = sorted.first { type in
                prefix.map { type.mediaType.hasPrefix($0) } ?? (type.mediaType == range)
            }
            if let found { return found }
        }
        return OpenAPIOperation.mediaType(nil, among: known)
    }
}

extension JSONValue {
    /// The value in a header field: elements are separated by commas. `nil` for an object.
    fileprivate var headerText: String? {
        switch self {
        case .string(let text): text
        case .number, .bool: shown
        case .array(let elements): elements.compactMap(\.headerText).joined(separator: ",")
        case .null, .object: nil
        }
    }
}

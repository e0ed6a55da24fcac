import Foundation
import MoyaCore

@testable import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The documents in `Tests/Documents`, and requests that they allow.
enum Documents {
    /// `shop-3.0.0.json`, and with the trait `YAML` the documents in YAML.
    static var names: [String] {
        #if YAML
            ["shop-3.0.0.json", "museum-3.0.3.yaml", "rail-3.1.0.yaml"]
        #else
            ["shop-3.0.0.json"]
        #endif
    }

    static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Documents/\(name)")
    }

    static func read(_ name: String) throws -> OpenAPIDocument {
        try OpenAPIDocument(contentsOf: file(name))
    }
}

extension OpenAPIDocument {
    /// Returns a request that the document allows for `operation`, with all parameters and a body
    /// that are made from their schemas.
    func request(
        for operation: OpenAPIOperation, at base: String, omitting omitted: String? = nil,
        isBodyOmitted: Bool = false
    ) throws -> TransportRequest {
        var path = operation.template
        var query: [URLQueryItem] = []
        var fields: [String: String] = [:]
        for parameter in operation.parameters(in: root) where parameter.name != omitted {
            let schema = JSONSchema.resolved(parameter.schema, in: root)
            let text = Self.text(
                of: SchemaExample(root: root, direction: .request).value(of: schema))
            switch parameter.location {
            case "path": path = path.replacingOccurrences(of: "{\(parameter.name)}", with: text)
            case "query": query.append(URLQueryItem(name: parameter.name, value: text))
            case "header": fields[parameter.name] = text
            default: fields["Cookie"] = "other=1; \(parameter.name)=\(text)"
            }
        }
        var components = URLComponents(string: base + path) ?? URLComponents()
        components.queryItems = query.isEmpty ? nil : query
        var request = URLRequest(url: components.url ?? URL(fileURLWithPath: "/"))
        request.httpMethod = operation.method
        request.allHTTPHeaderFields = fields
        var body = RequestBody.none
        if let content = operation.requestBody(in: root)?["content"]?.members, !isBodyOmitted,
            let type = OpenAPIOperation.mediaType(nil, among: content.keys)
        {
            request.setValue(
                type.replacingOccurrences(of: "*", with: "png"), forHTTPHeaderField: "Content-Type")
            let value = SchemaExample(root: root, direction: .request).value(
                of: content[type]?["schema"] ?? [:])
            body = .data(Self.body(value ?? .null, type: type))
        }
        return TransportRequest(request, body: body)
    }

    private static func body(_ value: JSONValue, type: String) -> Data {
        if type.mediaType == "application/x-www-form-urlencoded" {
            let fields = (value.members ?? [:]).map { "\($0)=\(text(of: $1))" }
            return Data(fields.sorted().joined(separator: "&").utf8)
        }
        if case .string(let text) = value { return Data(text.utf8) }
        return (try? JSONEncoder().encode(value)) ?? Data()
    }

    private static func text(of value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: text
        case .array(let elements)?: elements.map { text(of: $0) }.joined(separator: ",")
        default: value?.shown ?? ""
        }
    }
}

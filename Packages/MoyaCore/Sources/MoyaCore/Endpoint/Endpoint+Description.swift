import Foundation

// Descriptions of endpoints and tasks show the names of parameters, never their values.

extension Endpoint: CustomDebugStringConvertible, CustomReflectable {
    /// Method, URL, header fields and task, with secrets masked.
    public var debugDescription: String {
        "\(method) \(shownURL) [\(shownFields.map(\.description).joined(separator: ", "))], \(task)"
    }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": shownURL, "method": method, "httpHeaderFields": shownFields, "task": task,
                "timeoutInterval": timeoutInterval as Any,
            ], displayStyle: .class)
    }

    private var shownURL: String { Redaction.default.redact(url: url) }

    private var shownFields: [HeaderField] { HeaderField.sorted(httpHeaderFields) }
}

extension RequestTask: CustomStringConvertible, CustomReflectable {
    /// The name of the case, and the kind and size of the body and query, without values.
    public var description: String {
        var parts: [String] = []
        if case .none = body {} else { parts.append("body: \(body)") }
        if case .none = query {} else { parts.append("query: \(query)") }
        return parts.isEmpty ? name : "\(name)(\(parts.joined(separator: ", ")))"
    }

    private var name: String {
        switch self {
        case .requestPlain: "requestPlain"
        case .requestData: "requestData"
        case .requestJSONEncodable: "requestJSONEncodable"
        case .requestCustomJSONEncodable: "requestCustomJSONEncodable"
        case .requestParameters: "requestParameters"
        case .requestCompositeData: "requestCompositeData"
        case .requestCompositeParameters: "requestCompositeParameters"
        case .uploadFile: "uploadFile"
        case .uploadMultipart: "uploadMultipart"
        case .uploadMultipartFormData: "uploadMultipartFormData"
        case .uploadCompositeMultipart: "uploadCompositeMultipart"
        case .uploadCompositeMultipartFormData: "uploadCompositeMultipartFormData"
        case .downloadDestination: "downloadDestination"
        case .downloadParameters: "downloadParameters"
        case .custom: "custom"
        }
    }

    public var customMirror: Mirror {
        Mirror(
            self, children: [name: ["body": "\(body)", "query": "\(query)"]], displayStyle: .enum)
    }
}

extension RequestTask.Body: CustomStringConvertible, CustomReflectable {
    /// The kind of the body, and its size or the names of its parameters.
    public var description: String {
        switch self {
        case .none: "none"
        case .data(let data): "\(data.count) bytes"
        case .encodable(let value, _): "\(type(of: value))"
        case .parameters(let parameters, let encoding):
            "\(type(of: encoding)) of \(parameters.keys.sorted())"
        case .upload(let upload): "\(type(of: upload))"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension RequestTask.Query: CustomStringConvertible, CustomReflectable {
    /// The names of the parameters, or the type of the encoded value.
    public var description: String {
        switch self {
        case .none: "none"
        case .parameters(let parameters, _): "\(parameters.keys.sorted())"
        case .encodable(let value, _): "\(type(of: value))"
        case .several(let queries): "\(queries)"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

import Foundation

// What endpoints and tasks print of themselves: the names of parameters, and no value of any.

extension Endpoint: CustomDebugStringConvertible, CustomReflectable {
    /// Method, URL, header fields and task, secrets masked.
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

    private var shownURL: String { Redaction.default.redact(address: url) }

    private var shownFields: [HeaderField] {
        (httpHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
    }
}

extension RequestTask: CustomStringConvertible, CustomReflectable {
    /// What is sent, by its kind and size. No value of it.
    public var description: String { "body: \(body), query: \(query)" }

    public var customMirror: Mirror {
        Mirror(
            self, children: ["body": body, "query": query, "delivery": delivery],
            displayStyle: .struct)
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
    /// The names of the parameters, or the type of what is encoded.
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

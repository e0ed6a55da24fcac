import Foundation

// Descriptions and mirrors of requests and responses mask secrets, and show bodies as sizes.

extension HeaderField: CustomStringConvertible, CustomReflectable {
    /// `Name: value`, with secrets masked.
    public var description: String { "\(name): \(shownValue)" }

    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
    }

    private var shownValue: String { Redaction.default.redact(value, ofHeader: name) }
}

extension URLRequest {
    /// Method, URL and header fields, with secrets masked.
    var maskedDescription: String {
        let fields = HeaderField.sorted(allHTTPHeaderFields).map(\.description)
        let address = url.map(Redaction.default.redact(url:)) ?? "no URL"
        return "\(httpMethod ?? "GET") \(address) [\(fields.joined(separator: ", "))]"
    }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The size of the body, or the path of its file.
    public var description: String {
        switch self {
        case .none: "0 bytes"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.path)"
        case .stream(let stream): stream.length.map { "\($0) bytes" } ?? "unknown length"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
    /// The size of the body, or the path of its file.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.path)"
        case .stream: "a stream"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// Status, URL and header fields, with secrets masked.
    public var description: String {
        let fields = fields.map(\.description).joined(separator: ", ")
        return "\(statusCode) \(Redaction.default.redact(url: url)) [\(fields)]"
    }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "statusCode": statusCode, "url": Redaction.default.redact(url: url),
                "httpVersion": httpVersion, "fields": fields,
            ], displayStyle: .class)
    }
}

extension TransportResponse: CustomStringConvertible, CustomReflectable {
    /// Status, URL, header fields and the size of the body. Secrets are masked.
    public var description: String { "\(head), body of \(body)" }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["head": head, "body": body, "metrics": metrics, "trailers": trailers],
            displayStyle: .struct)
    }
}

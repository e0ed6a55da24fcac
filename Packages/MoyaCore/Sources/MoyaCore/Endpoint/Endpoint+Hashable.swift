import Foundation

// Foundation's own `URLRequest ==` passes over body and header fields on Linux, so two requests
// that differ in their body alone would be taken for one. The key below holds all that is sent.
extension Endpoint: Hashable {
    enum Key: Hashable, Sendable {
        case request(
            method: String?, url: String?, headers: [String: String], body: Data?, upload: Upload?)
        case invalid(method: String, url: String, headers: [String: String]?, upload: Upload?)
    }

    struct Upload: Hashable, Sendable {
        let body: any UploadBody

        static func == (lhs: Upload, rhs: Upload) -> Bool {
            AnyHashable(lhs.body) == AnyHashable(rhs.body)
        }

        func hash(into hasher: inout Hasher) {
            body.hash(into: &hasher)
        }
    }

    /// What this endpoint sends. Runs its encoding.
    var key: Key {
        var upload: Upload?
        if case .upload(let body) = task.body { upload = Upload(body: body) }
        guard let request = try? urlRequest() else {
            return .invalid(
                method: method.rawValue, url: url, headers: httpHeaderFields, upload: upload)
        }
        return .request(
            method: request.httpMethod, url: request.url?.absoluteString,
            headers: request.allHTTPHeaderFields ?? [:], body: request.httpBody, upload: upload)
    }

    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        lhs === rhs || lhs.key == rhs.key
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

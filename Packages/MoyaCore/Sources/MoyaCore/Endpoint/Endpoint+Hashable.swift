import Foundation

// Foundation's own `URLRequest ==` passes over body and header fields on Linux, so two requests
// that differ in their body alone would be taken for one. The key below holds all that is sent.
extension Endpoint: Hashable {
    private enum Key: Hashable {
        case request(
            method: String?, url: String?, headers: [String: String], body: Data?,
            upload: AnyHashable?)
        case invalid(method: String, url: String, headers: [String: String]?, upload: AnyHashable?)
    }

    private var key: Key {
        var upload: AnyHashable?
        if case .upload(let body) = task.body { upload = AnyHashable(body) }
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

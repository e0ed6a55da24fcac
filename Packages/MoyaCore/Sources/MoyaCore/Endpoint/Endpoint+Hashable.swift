import Foundation
import MoyaInternals

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

    /// One lock for all endpoints: it is held for a moment, and few endpoints are ever compared.
    private static let keyLock = Locked(())

    /// What this endpoint sends. Runs its encoding the first time, and no more: an encoding may write another text each time
    /// it is called, and a key of a dictionary must not change.
    var key: Key {
        if let key = Self.keyLock.withLock({ _ in knownKey }) { return key }
        let made = makeKey()
        return Self.keyLock.withLock { _ in
            let key = knownKey ?? made
            knownKey = key
            return key
        }
    }

    private func makeKey() -> Key {
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

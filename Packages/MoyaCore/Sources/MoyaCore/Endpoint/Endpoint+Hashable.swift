import Foundation
import MoyaInternals

// `URLRequest ==` ignores the body and header fields on Linux, so requests that differ only there
// would compare equal. `Key` holds everything that is sent.
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

    /// One lock for all endpoints: it is held briefly, and few endpoints are ever compared.
    private static let keyLock = Locked(())

    /// The data that this endpoint sends, computed once. A custom encoding may produce different
    /// output on each call, and the hash of a dictionary key must not change.
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

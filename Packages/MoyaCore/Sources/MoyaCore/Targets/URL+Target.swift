import Foundation
import MoyaInternals

extension URL {
    /// Creates the URL of `target`: its path appended to its base URL.
    ///
    /// An empty path leaves the base URL unchanged. Percent-encoded sequences in the path are kept,
    /// and every character that is not valid in a path is percent-encoded: `/a?b` becomes `/a%3Fb`.
    /// Dot segments of the base URL are resolved (RFC 3986, section 5.2.4). Dot segments of the
    /// path are not: ``Endpoint/urlRequest()`` rejects them.
    public init<Target: TargetType>(target: Target) {
        let path = target.path
        let base = target.baseURL.resolvingDotSegments
        guard !path.isEmpty else {
            self = base
            return
        }
        self = base.appending(encodedPath: PercentEncoding.path(path))
    }

    /// Returns the absolute string of the URL of `target`. Cheaper than creating a `URL`.
    static func text<Target: TargetType>(of target: Target) -> String {
        let path = target.path
        let base = target.baseURL.resolvingDotSegments.absoluteString
        guard !path.isEmpty else { return base }
        guard !base.hasQueryOrFragment else { return URL(target: target).absoluteString }
        return base.joined(withPath: PercentEncoding.path(path))
    }

    private func appending(encodedPath path: String) -> URL {
        let base = absoluteString
        guard base.hasQueryOrFragment else {
            return URL(string: base.joined(withPath: path)) ?? appendingPathComponent(path)
        }
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return appendingPathComponent(path)
        }
        components.percentEncodedPath = components.percentEncodedPath.joined(withPath: path)
        return components.url ?? appendingPathComponent(path)
    }
}

extension String {
    fileprivate var hasQueryOrFragment: Bool {
        utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }

    /// Joins with exactly one slash in between.
    fileprivate func joined(withPath path: String) -> String {
        switch (hasSuffix("/"), path.hasPrefix("/")) {
        case (true, true): self + path.dropFirst()
        case (false, false): self + "/" + path
        default: self + path
        }
    }
}

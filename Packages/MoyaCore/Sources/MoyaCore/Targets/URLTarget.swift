import Foundation

/// A request to a URL, for programs that have no target type for it.
///
/// ```swift
/// let provider = MoyaProvider<URLTarget>()
/// let user = try await provider.request("https://api.test/users/\(segment: name)", as: User.self)
/// for try await chunk in try await provider.stream("https://api.test/log") { … }
/// let order = URLTarget(link, method: .post, task: .requestEncodable(newOrder))
/// let response = try await provider.request(order)
/// ```
///
/// A string literal is a GET. Every function of a provider accepts the target: streams, progress,
/// pages, downloads and uploads. A status outside 200...299 is an error unless ``validationType``
/// is changed. The request fails with `URLError.unsupportedURL` (-1002) if Foundation cannot parse
/// the text as a URL, or if the scheme of the URL is neither `http` nor `https`.
public struct URLTarget: TargetType, ExpressibleByStringInterpolation {
    /// The URL of the request.
    public var baseURL: URL
    /// Empty: ``baseURL`` is the whole URL.
    public var path: String { "" }
    public var method: Method
    public var task: RequestTask
    public var headers: [String: String]?
    public var validationType = ValidationType.successCodes
    public var timeoutInterval: TimeInterval?
    public var totalTimeout: TimeInterval?
    public var cachePolicy: URLRequest.CachePolicy?
    public var sampleData = Data()

    /// Creates a request to `url`.
    public init(
        _ url: URL, method: Method = .get, task: RequestTask = .requestPlain,
        headers: [String: String]? = nil
    ) {
        baseURL = url
        self.method = method
        self.task = task
        self.headers = headers
    }

    /// Creates a request to the URL in `text`.
    public init(
        _ text: String, method: Method = .get, task: RequestTask = .requestPlain,
        headers: [String: String]? = nil
    ) {
        // Every transport rejects the scheme `about`.
        let url = URL(string: text) ?? URL(string: "about:invalid") ?? URL(fileURLWithPath: "/")
        self.init(url, method: method, task: task, headers: headers)
    }

    /// Creates a GET of the URL in the literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension URLTarget: CustomStringConvertible, CustomReflectable {
    /// Method and URL, with secrets masked.
    public var description: String { "\(method) \(Redaction.default.redact(url: baseURL))" }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "baseURL": Redaction.default.redact(url: baseURL), "method": method, "task": task,
                "headers": HeaderField.sorted(headers),
            ], displayStyle: .struct)
    }
}

import Foundation

/// A target's request and the sample response of its stub.
///
/// A provider creates an endpoint for each request with its `endpointClosure`. Endpoints are equal
/// if they send the same data; sample responses are not compared.
///
/// Subclasses may override ``adding(newHTTPHeaderFields:)`` and ``replacing(task:)``.
open class Endpoint: @unchecked Sendable {
    // Safe: every stored property is a constant of a Sendable type, except `knownKey`, which
    // `keyLock` guards.

    /// Creates the response of a stub.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL as text. ``urlRequest()`` validates it.
    public let url: String

    /// Creates the response of a stub.
    public let sampleResponseClosure: SampleResponseClosure

    /// The request method.
    public let method: Method

    /// The body and query to send, and the destination of the response's body.
    public let task: RequestTask

    /// The request's header fields. `nil` adds none. Of names that differ only in case, the last in
    /// lexicographic order is sent.
    public let httpHeaderFields: [String: String]?

    /// Idle timeout, in seconds. `nil` is `URLRequest`'s default of 60. 0 or less disables the
    /// timeout.
    public let timeoutInterval: TimeInterval?

    /// Cache policy for a caching layer: see ``TargetType/cachePolicy``.
    public let cachePolicy: URLRequest.CachePolicy?

    /// The value of ``key``, once it has been computed.
    var knownKey: Key?

    /// Creates an endpoint without validating its values: ``urlRequest()`` does.
    ///
    /// - Parameters:
    ///   - url: The percent-encoded URL. The task's query is appended to the URL's query.
    ///   - sampleResponseClosure: Called for each stubbed request only.
    ///   - httpHeaderFields: `nil` adds no header fields.
    ///   - timeoutInterval: Idle timeout, in seconds. `nil` is `URLRequest`'s default of 60.
    ///   - cachePolicy: `nil` is `URLRequest`'s default policy.
    @preconcurrency
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: Method,
        task: RequestTask,
        httpHeaderFields: [String: String]?,
        timeoutInterval: TimeInterval? = nil,
        cachePolicy: URLRequest.CachePolicy? = nil
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
        self.timeoutInterval = timeoutInterval
        self.cachePolicy = cachePolicy
    }

    /// Returns the endpoint with header fields added. A new field replaces an existing field of the
    /// same name, compared without regard to case.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else { return copy(task, httpHeaderFields) }
        let replaced = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
        let kept = (httpHeaderFields ?? [:]).filter { !replaced.contains($0.key.lowercased()) }
        return copy(task, kept.merging(newHTTPHeaderFields) { $1 })
    }

    /// Returns the endpoint with its task replaced.
    open func replacing(task: RequestTask) -> Endpoint {
        copy(task, httpHeaderFields)
    }

    private func copy(_ task: RequestTask, _ headers: [String: String]?) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: headers, timeoutInterval: timeoutInterval, cachePolicy: cachePolicy)
    }
}

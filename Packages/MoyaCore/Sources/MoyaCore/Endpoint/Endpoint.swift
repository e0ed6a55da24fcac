import Foundation

/// A target made concrete: everything that is sent, and the answer a stub gives.
///
/// A provider makes one for each request with its `endpointClosure`. Endpoints are equal when
/// they send the same thing, whatever their sample responses are.
///
/// Subclasses may override ``adding(newHTTPHeaderFields:)`` and ``replacing(task:)``.
open class Endpoint: @unchecked Sendable {
    // Safe to share: every stored property is a constant of a Sendable type, but for the key, which has a lock.

    /// Makes the answer of a stubbed request.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL, as text. Checked by ``urlRequest()``.
    public let url: String

    /// Makes the answer of a stubbed request.
    public let sampleResponseClosure: SampleResponseClosure

    /// The request's method.
    public let method: Method

    /// What is sent, and where the answer goes.
    public let task: RequestTask

    /// The request's header fields.
    public let httpHeaderFields: [String: String]?

    /// How long nothing may move, in seconds. `nil` means `URLRequest`'s own 60, and 0 or less no bound.
    public let timeoutInterval: TimeInterval?

    /// What a layer that caches does with the request. See ``TargetType/cachePolicy``.
    public let cachePolicy: URLRequest.CachePolicy?

    /// What the endpoint is compared by, once it has been. See ``key``.
    var knownKey: Key?

    /// Takes everything as it is: ``urlRequest()`` is what checks it.
    ///
    /// - Parameters:
    ///   - url: The URL, percent-encoded. A query of the task's goes to the end of the one it has.
    ///   - sampleResponseClosure: Called for each request that is stubbed, and for no other.
    ///   - httpHeaderFields: `nil` is none.
    ///   - timeoutInterval: In seconds. `nil` means `URLRequest`'s own 60.
    ///   - cachePolicy: `nil` means `URLRequest`'s own.
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

    /// The same endpoint with these header fields added. A field it has already is
    /// replaced, whatever its case.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else { return copy(task, httpHeaderFields) }
        let replaced = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
        let kept = (httpHeaderFields ?? [:]).filter { !replaced.contains($0.key.lowercased()) }
        return copy(task, kept.merging(newHTTPHeaderFields) { $1 })
    }

    /// The same endpoint with another task.
    open func replacing(task: RequestTask) -> Endpoint {
        copy(task, httpHeaderFields)
    }

    private func copy(_ task: RequestTask, _ headers: [String: String]?) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: headers, timeoutInterval: timeoutInterval, cachePolicy: cachePolicy)
    }
}

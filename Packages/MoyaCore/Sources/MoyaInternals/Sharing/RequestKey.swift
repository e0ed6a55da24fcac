import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The content of a request, and the context that its response depends on. Requests with equal keys
/// may share a response.
public struct RequestKey<Context: Hashable & Sendable>: Hashable, Sendable {
    private struct Content: Hashable, Sendable {
        let method: String
        let url: String?
        /// As bytes: equal text may have several encodings.
        let headers: [String: [UInt8]]
        let body: Data?
        let timeoutInterval: TimeInterval
        let cachePolicy: URLRequest.CachePolicy
        let handlesCookies: Bool
        let networks: NetworkAccess
        let limit: Int
        let context: Context
    }

    /// Has to be equal as well for requests to share a response.
    public var context: Context { content.context }

    private let content: Content
    /// Computed once, because dictionaries look up keys while they hold a lock.
    private let hash: Int

    /// - Parameters:
    ///   - body: The body to send. The `httpBody` of `request` is ignored.
    ///   - limit: Maximum size of the response in memory, in bytes.
    ///   - context: Has to be equal as well. Compared while a lock is held.
    public init(_ request: URLRequest, body: Data?, limit: Int, context: Context) {
        // `URLRequest ==` ignores the body and header fields on Linux.
        content = Content(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString,
            headers: (request.allHTTPHeaderFields ?? [:]).mapValues { Array($0.utf8) }, body: body,
            timeoutInterval: request.timeoutInterval, cachePolicy: request.cachePolicy,
            handlesCookies: request.httpShouldHandleCookies, networks: NetworkAccess(request),
            limit: limit, context: context)
        hash = content.hashValue
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.hash == rhs.hash && lhs.content == rhs.content
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

/// The networks that a request may use.
private struct NetworkAccess: Hashable, Sendable {
    let allowsCellular: Bool
    #if !canImport(FoundationNetworking)
        let allowsExpensive: Bool
        let allowsConstrained: Bool
    #endif

    init(_ request: URLRequest) {
        allowsCellular = request.allowsCellularAccess
        #if !canImport(FoundationNetworking)
            allowsExpensive = request.allowsExpensiveNetworkAccess
            allowsConstrained = request.allowsConstrainedNetworkAccess
        #endif
    }
}

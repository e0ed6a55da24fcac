import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request sends, and what its response depends on besides. Requests with equal keys may share a response.
public struct RequestKey<Context: Hashable & Sendable>: Hashable, Sendable {
    private struct Content: Hashable, Sendable {
        let method: String
        let url: String?
        let headers: [String: String]
        let body: Data?
        let timeoutInterval: TimeInterval
        let cachePolicy: URLRequest.CachePolicy
        let handlesCookies: Bool
        let networks: NetworkAccess
        let limit: Int
        let context: Context
    }

    /// What the response depends on and is not sent.
    public var context: Context { content.context }

    private let content: Content
    /// Made once: tables look keys up while they hold a lock.
    private let hash: Int

    /// - Parameters:
    ///   - body: What is sent after the header fields. The request's own `httpBody` is not looked at.
    ///   - limit: The most bytes of the response that are kept in memory.
    ///   - context: What the response depends on and is not sent. Compared while a lock is held.
    public init(_ request: URLRequest, body: Data?, limit: Int, context: Context) {
        // Foundation's own `URLRequest ==` passes over body and header fields on Linux.
        content = Content(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString,
            headers: request.allHTTPHeaderFields ?? [:], body: body,
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

import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request sends, and what its answer depends on besides. Requests for which all of it is equal may share one
/// answer.
///
/// Taken of the request as the plugins left it: a token that one of them put in is somebody's, and so is the answer.
final class InflightKey: Hashable, Sendable {
    /// What the answer depends on, though it is not sent.
    private struct Terms: Equatable {
        let timeoutInterval: TimeInterval
        let cachePolicy: URLRequest.CachePolicy
        let limit: Int?
        let handlesCookies: Bool
        let validation: ValidationType
        let isStubbed: Bool
    }

    private let sent: Endpoint.Key
    private let terms: Terms
    private let hash: Int

    /// - Parameters:
    ///   - request: What is sent.
    ///   - bare: The same before an upload's body has added to it.
    init(
        _ request: URLRequest, bare: URLRequest, endpoint: Endpoint, validation: ValidationType,
        isStubbed: Bool
    ) {
        var headers = request.allHTTPHeaderFields ?? [:]
        var upload: Endpoint.Upload?
        if case .upload(let body) = endpoint.task.body {
            upload = Endpoint.Upload(body: body)
            // An upload's own has the boundary of a form in it, which is another one each time. The body says it all.
            headers["Content-Type"] = bare.value(forHTTPHeaderField: "Content-Type")
        }
        sent = .request(
            method: request.httpMethod, url: request.url?.absoluteString, headers: headers,
            body: request.httpBody, upload: upload)
        terms = Terms(
            timeoutInterval: request.timeoutInterval, cachePolicy: request.cachePolicy,
            limit: (endpoint.task.delivery as? MemoryDelivery)?.limit,
            handlesCookies: request.httpShouldHandleCookies, validation: validation,
            isStubbed: isStubbed)
        hash = sent.hashValue
    }

    static func == (lhs: InflightKey, rhs: InflightKey) -> Bool {
        lhs.hash == rhs.hash && lhs.terms == rhs.terms && lhs.sent == rhs.sent
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

/// The exchanges that equal requests may join.
struct Inflights: Sendable {
    private struct Entry {
        let endpoint: Endpoint
        let exchange: Exchange
        /// Whether the plugins still see it off. They may give it a credential, and then its answer is nobody else's.
        var isDeparting: Bool
        /// Those who have to wait for that.
        var waiting: [@Sendable () -> Void] = []
    }

    /// Where a request stands.
    enum Place {
        /// It is the one to send.
        case first
        /// It waits for the answer to another one.
        case joined(WaiterToken)
        /// Its `retry` is called when it can be told.
        case undecided
    }

    private var entries: [InflightKey: Entry] = [:]

    /// What is in flight, for those who ask.
    var exchanges: [(endpoint: Endpoint, exchange: Exchange)] {
        entries.values.map { ($0.endpoint, $0.exchange) }
    }

    /// Finds the place of a request.
    mutating func enter(
        _ exchange: Exchange, for endpoint: Endpoint, _ key: InflightKey, isDeparting: Bool,
        retry: @escaping @Sendable () -> Void
    ) -> Place {
        if let entry = entries[key] {
            if entry.isDeparting {
                exchange.hold()
                entries[key]?.waiting.append(retry)
                return .undecided
            }
            if let token = exchange.join(entry.exchange) { return .joined(token) }
        }
        entries[key] = Entry(endpoint: endpoint, exchange: exchange, isDeparting: isDeparting)
        return .first
    }

    /// Says that the plugins have seen `exchange` off. Returns what those who waited for it have to call now.
    mutating func depart(
        _ exchange: Exchange, _ key: InflightKey, isShared: Bool
    ) -> [@Sendable () -> Void] {
        guard var entry = entries[key], entry.exchange === exchange else { return [] }
        let waiting = entry.waiting
        entry.isDeparting = false
        entry.waiting = []
        entries[key] = isShared ? entry : nil
        return waiting
    }

    /// Forgets `exchange`. A request made after it was over may have taken its place.
    mutating func remove(_ exchange: Exchange, _ key: InflightKey) {
        guard let entry = entries[key], entry.exchange === exchange else { return }
        entries[key] = nil
    }
}

import Foundation
import MoyaCore

extension CachingTransport {
    /// Returns `stored` as the response to `request`.
    func serve(
        _ stored: StoredResponse, to request: TransportRequest, as status: CacheStatus? = nil
    ) throws -> TransportResponse {
        let freshness = Freshness(stored, now: clock.now)
        var fields = stored.fields.filter { $0.name.lowercased() != "age" }
        fields.append(HeaderField(name: "Age", value: "\(freshness.age.whole)"))
        let head = ResponseHead(
            statusCode: stored.statusCode, url: request.urlRequest.url ?? stored.url,
            httpVersion: stored.httpVersion, fields: fields)
        let body = try request.deliver(stored.body)
        return TransportResponse(head: head, body: body).marked(
            status ?? .hit(timeToLive: freshness.lifetime - freshness.age))
    }

    /// Returns status 504, for requests that must not use the network (RFC 9111, section 5.2.1.7).
    func unavailable(_ request: TransportRequest) throws -> TransportResponse {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        return TransportResponse(
            head: ResponseHead(statusCode: 504, url: url), body: try request.deliver(Data())
        ).marked(.unavailable)
    }
}

extension TransportRequest {
    /// Delivers `body` to the request's destination and reports its progress.
    fileprivate func deliver(_ body: Data) throws -> ResponseBody {
        var delivered = ResponseBody.data(body)
        switch destination {
        case .memory(let limit):
            guard body.count <= limit else {
                throw URLError(
                    .dataLengthExceedsMaximum, "The stored body has more than \(limit) bytes.",
                    url: urlRequest.url)
            }
        case .file(let url):
            try NewFile.make(url) { try $0.write(body) }
            delivered = .file(url)
        case .stream: break
        }
        progress?(
            TransferProgress(
                bytesReceived: Int64(body.count), bytesToReceive: Int64(body.count)))
        return delivered
    }

    /// This request with a `Cache-Control` field that applies its cache policy to intermediate
    /// caches. A `Cache-Control` field of the request stays as it is.
    func askingCachesAhead() -> TransportRequest {
        switch urlRequest.cachePolicy {
        case .reloadRevalidatingCacheData: adding("Cache-Control", "max-age=0")
        case .reloadIgnoringLocalAndRemoteCacheData: adding("Cache-Control", "no-cache")
        default: self
        }
    }

    /// This request as a conditional request: the server answers with 304 if `stored` is still
    /// valid (RFC 9111, section 4.3.1).
    func conditional(on stored: StoredResponse) -> TransportRequest {
        var request = self
        // Requests with conditions of the caller's bypass the cache, so `nil` removes nothing.
        request.urlRequest.setValue(stored.entityTag, forHTTPHeaderField: "If-None-Match")
        request.urlRequest.setValue(stored.lastModified, forHTTPHeaderField: "If-Modified-Since")
        return request
    }
}

extension TransportResponse {
    /// Whether the response comes from another URL than the request's, after a redirect.
    func isOfAnotherResource(than request: TransportRequest) -> Bool {
        metrics.redirectCount > 0 || head.url != request.urlRequest.url
    }

    /// The body, or `nil` if it is larger than `limit` bytes or is a stream.
    func storableBody(limit: Int) -> Data? {
        switch body {
        case .data(let data): return data.count <= limit ? data : nil
        case .file(let url):
            let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
            guard let size, size <= limit else { return nil }
            return try? Data(contentsOf: url)
        // A stream can be read only once, and the caller reads it.
        case .stream: return nil
        }
    }
}

import MoyaCore

extension RequestTask {
    /// Returns the task with its body compressed. A task without a body is returned unchanged.
    ///
    /// ```swift
    /// var task: Task {
    ///     switch self {
    ///     case .importOrders(let orders): .requestJSONEncodable(orders).compressed(.gzip)
    ///     case .archive(let log): .uploadFile(log).compressed(.gzip, level: .best)
    ///     case .orders: .requestPlain
    ///     }
    /// }
    /// ```
    ///
    /// Files, forms and bodies of more than 1 MiB are compressed while they are sent, with chunked
    /// transfer coding (RFC 9112, section 7.1). Smaller bodies have a `Content-Length`. A server
    /// that does not support the coding responds with 415 (RFC 9110, section 15.5.16).
    ///
    /// - Parameters:
    ///   - coding: Compression format. `.gzip` by default.
    ///   - level: Trade-off between size and time.
    ///   - minimumSize: Minimum size in bytes. A smaller body is sent uncompressed. A body of
    ///     unknown length is always compressed.
    public func compressed(
        _ coding: ContentCoding = .gzip, level: CompressionLevel = .default,
        minimumSize: Int = 1_024
    ) -> RequestTask {
        switch body {
        case .none: return self
        // Query parameters are not a body. The unchanged task lets the endpoint show its query.
        case .parameters(_, let encoding as URLEncoding) where encoding.destination == .queryString:
            return self
        default:
            var task = self
            task.body = .upload(
                CompressedUpload(body, coding: coding, level: level, minimumSize: minimumSize))
            return task
        }
    }
}

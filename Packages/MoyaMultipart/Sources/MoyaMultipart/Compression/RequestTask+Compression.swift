import MoyaCore

extension RequestTask {
    /// The same task with its body compressed, where it has one.
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
    /// Files, forms and bodies of more than 1 MiB are compressed while they are sent, in chunks: their length is not
    /// known before (RFC 9112, section 7.1). Others have a `Content-Length`. A server that does not know the coding
    /// answers with 415 (RFC 9110, section 15.5.16).
    ///
    /// - Parameters:
    ///   - minimumSize: A body with fewer bytes is sent as it is, and one of unknown length
    ///     is compressed whatever this is.
    public func compressed(
        _ coding: ContentCoding = .gzip, level: CompressionLevel = .default,
        minimumSize: Int = 1_024
    ) -> RequestTask {
        switch body {
        case .none: return self
        // There is no body, and the endpoint shows its query.
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

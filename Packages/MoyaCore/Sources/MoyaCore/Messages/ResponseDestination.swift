import Foundation

/// The destination of a response's body.
public enum ResponseDestination: Sendable {
    /// In memory, at most `limit` bytes after decompression. A larger body fails the request with
    /// `URLError(.dataLengthExceedsMaximum)`. With 0 or less, only an empty body is accepted.
    case memory(limit: Int = ResponseDestination.defaultMemoryLimit)
    /// A file, which must not exist. It is removed if the request fails.
    case file(URL)
    /// A ``ResponseBody/stream(_:)`` that the caller reads. The response is returned as soon as its
    /// header fields have arrived. A transport that already has the whole body may return
    /// ``ResponseBody/data(_:)`` instead.
    case stream

    /// Default limit of a body in memory: 256 MiB, in bytes.
    public static let defaultMemoryLimit = 256 << 20
}

import Foundation

/// Where the body of a response goes.
public enum ResponseDestination: Sendable {
    /// Into memory, at most `limit` bytes after decompression. A larger body fails the
    /// exchange with `URLError(.dataLengthExceedsMaximum)`. With 0 or less, only an empty body fits.
    case memory(limit: Int = ResponseDestination.defaultMemoryLimit)
    /// Into this file, which must not exist yet. It is removed if the exchange fails.
    case file(URL)
    /// Into ``ResponseBody/stream(_:)``, which the caller reads. The response is returned as soon as its header fields have
    /// arrived. A transport that has the whole body by then may answer with ``ResponseBody/data(_:)``.
    case stream

    /// 256 MiB, in bytes.
    public static let defaultMemoryLimit = 256 << 20
}

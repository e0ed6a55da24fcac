import Foundation

/// Where the body of a response goes.
public enum ResponseDestination: Sendable {
    /// Into memory, at most `limit` bytes after decompression. A larger body fails the
    /// exchange with `URLError(.dataLengthExceedsMaximum)`. With 0 or less, only an empty one goes.
    case memory(limit: Int = ResponseDestination.defaultMemoryLimit)
    /// Into this file, which must not exist yet. It is removed if the exchange fails.
    case file(URL)
    /// To whoever reads ``ResponseBody/stream(_:)``: the response is there as soon as its header fields are.
    /// A transport that has the whole body by then may answer with ``ResponseBody/data(_:)``.
    case stream

    /// 256 MiB, in bytes.
    public static let defaultMemoryLimit = 256 << 20
}

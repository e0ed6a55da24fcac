import Foundation

/// Synchronous reader of a request's body whose bytes are available without waiting, such as a
/// file. For transports.
public protocol BodyReader: AnyObject {
    /// Reads up to `buffer.count` bytes into `buffer`.
    ///
    /// - Returns: The number of bytes read. 0 at the end of the body.
    /// - Throws: The error that prevents reading the body.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

import Foundation

/// Reads a request's body whose bytes are available without waiting, such as those of a file. For transports.
public protocol BodyReader: AnyObject {
    /// Reads the next bytes into `buffer`, as many as fit or fewer.
    ///
    /// - Returns: The number of bytes read: 0 at the end of the body.
    /// - Throws: Why the body cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

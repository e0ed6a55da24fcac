import Foundation

/// Reads a body whose bytes are there whenever somebody asks for them, such as those of a file. For transports.
@_spi(MoyaInternals)
public protocol BodyReader: AnyObject {
    /// Reads the next bytes, as many as there is room for or fewer. Returns how many: 0 at the end.
    ///
    /// - Throws: Why the body cannot be had.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

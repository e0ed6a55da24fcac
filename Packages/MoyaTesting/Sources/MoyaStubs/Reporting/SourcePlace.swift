/// A location in the source code of a test, such as the line that adds a stub.
public struct SourcePlace: Sendable, CustomStringConvertible {
    /// `Module/File.swift`
    public let fileID: StaticString
    /// Path of the file.
    public let filePath: StaticString
    /// Line, from 1.
    public let line: UInt
    /// Column, from 1.
    public let column: UInt

    /// Creates the location of the call. A helper passes on the location of its caller.
    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// `File.swift:12`
    public var description: String {
        "\("\(fileID)".split(separator: "/").last ?? "?"):\(line)"
    }
}

/// A place in a test's source: where a stub was added, where something was expected.
public struct SourcePlace: Sendable, CustomStringConvertible {
    /// `Module/File.swift`
    public let fileID: StaticString
    /// The whole path.
    public let filePath: StaticString
    /// Counted from 1.
    public let line: UInt
    /// Counted from 1.
    public let column: UInt

    /// The place of the call, or the one that a helper was called from and hands on.
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

import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaCore

@Suite struct NewFileTests {
    private struct Stop: Error {}
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file whose content cannot be made is removed`() throws {
        let file = folder.file("new")
        #expect(throws: Stop.self) {
            try NewFile.make(file) {
                try $0.write(Data("half".utf8))
                throw Stop()
            }
        }
        #expect(folder.names == [])
    }

    @Test func `a replacement that cannot be made or put in place leaves no draft`() throws {
        let file = try folder.file("file", Data("before".utf8))
        let draft = folder.file("draft")
        #expect(throws: Stop.self) { try NewFile.replace(file, by: draft) { _ in throw Stop() } }
        #expect(try Data(contentsOf: file) == Data("before".utf8))
        let directory = folder.file("directory")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let error = #expect(throws: POSIXError.self) {
            try NewFile.replace(directory, by: draft) { try $0.write(Data("after".utf8)) }
        }
        #expect(error?.code == .EISDIR)
        #expect(folder.names.sorted() == ["directory", "file"])
    }
}

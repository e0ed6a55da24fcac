import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

@Suite struct FileSliceTests {
    @Test func `slices of a file are equal if their ranges are`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", noise(10))
        let identity = try FileIdentity(file)
        func slice(_ range: Range<Int64>) -> FileSlice {
            FileSlice(file: file, identity: identity, range: range) { _ in }
        }
        #expect(slice(0..<5) == slice(0..<5))
        #expect(slice(0..<5) != slice(5..<10))
    }
}

#if canImport(FoundationNetworking)
    import Foundation
    import MoyaTestSupport
    import Testing

    @testable import MoyaTransportFoundation

    /// Stream from which URLSession on Linux reads an uploaded file.
    @Suite struct FileStreamTests {
        private let folder: TemporaryFolder
        private let file: URL

        init() throws {
            folder = try TemporaryFolder()
            file = try folder.file("body", Data(0..<10))
        }

        private func read(_ count: Int, of stream: FileStream) -> Data? {
            var buffer = [UInt8](repeating: 0, count: count)
            let read = stream.read(&buffer, maxLength: count)
            return read < 0 ? nil : Data(buffer.prefix(read))
        }

        @Test(arguments: 1...10)
        func `a file stream returns every byte for reads of any size`(size: Int) {
            let stream = FileStream(file, length: 10)
            stream.open()
            var received = Data()
            while stream.hasBytesAvailable, let piece = read(size, of: stream) { received += piece }
            #expect(received == Data(0..<10))
        }

        @Test func `a file stream ends after the announced length and closes the file`() {
            let stream = FileStream(file, length: 4)
            #expect(stream.streamStatus == .notOpen)
            stream.open()
            #expect(stream.streamStatus == .open)
            #expect(stream.hasBytesAvailable)
            #expect(read(100, of: stream) == Data(0..<4))
            #expect(!stream.hasBytesAvailable)
            #expect(stream.streamStatus == .notOpen)
            #expect(read(100, of: stream) == nil)
        }

        @Test func `a file stream of a file shorter than announced fails at the file's end`() {
            let stream = FileStream(file, length: 11)
            stream.open()
            #expect(read(100, of: stream) == Data(0..<10))
            #expect(stream.hasBytesAvailable)
            #expect(read(100, of: stream) == nil)
        }

        // In a child process, because it closes its standard input.
        @Test func `a file stream closes a file that has got descriptor 0`() async {
            await #expect(processExitsWith: .success) {
                let stream = FileStream(URL(fileURLWithPath: "/proc/self/exe"), length: 1)
                stream.close()
                // It has opened no file, so it closes none.
                #expect(fcntl(0, F_GETFD) != -1)
                close(0)
                // Another thread may use the descriptor briefly.
                try await until(within: 10) {
                    stream.open()
                    stream.close()
                    return fcntl(0, F_GETFD) == -1
                }
            }
        }
    }
#endif

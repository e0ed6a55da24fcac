#if os(Linux)
    import Foundation
    import MoyaTestSupport
    import Testing

    @testable import MoyaMultipart

    @Suite struct PartialFileTests {
        /// Returns the descriptor of `file` in this process.
        private func descriptor(of file: URL) throws -> Int32 {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            let own = names.first { name in
                let link = "/proc/self/fd/\(name)"
                return (try? FileManager.default.destinationOfSymbolicLink(atPath: link))
                    == file.path
            }
            return try #require(own.flatMap { Int32($0) })
        }

        @Test func `a forked child process does not keep a partial file locked`() throws {
            let folder = try TemporaryFolder()
            let destination = folder.url.appendingPathComponent("file")
            var first: PartialFile? = try PartialFile(for: destination)
            let url = try #require(first?.url)
            // Stands for the descriptor that a forked child process has until exec.
            let inherited = dup(try descriptor(of: url))
            defer { close(inherited) }
            #expect(throws: DownloadError.self) { try PartialFile(for: destination) }
            first = nil
            #expect(throws: Never.self) { try PartialFile(for: destination) }
        }
    }
#endif

import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    /// A case with the URL of a file in a temporary folder. The file does not exist at the start.
    static func fileCase(
        _ name: String, answering handler: @escaping MockServer.Handler = MockServer.httpbin,
        whenSent body: @escaping @Sendable (any Transport, MockServer, URL) async throws -> Void
    ) -> Case {
        Case(name, answering: handler) { transport, server in
            try await withTemporaryFolder { folder in
                try await body(transport, server, folder.appendingPathComponent("file"))
            }
        }
    }

    static let fileCases: [Case] =
        [0, 1, 65_536, 3_000_001].map { size in
            fileCase("a file of \(size) bytes is uploaded byte for byte") { request in
                .text(request.body == pattern(request.bodyLength) ? "same" : "other")
            } whenSent: { transport, server, file in
                try pattern(size).write(to: file)
                let response = try await transport.send(to: server, "PUT", "/", body: .file(file))
                try expect(response.text(), "same", "the answer")
                try expect(server.requests.map(\.bodyLength), [size], "the lengths")
                let length = server.requests.first?.value(for: "Content-Length")
                try expect(length, "\(size)", "Content-Length")
            }
        } + [
            fileCase("uploading a missing file is an error before any request") {
                transport, server, file in
                try await expectError(.fileDoesNotExist) {
                    try await transport.send(to: server, "PUT", "/", body: .file(file))
                }
                try expect(server.requests.count, 0, "the number of requests")
            },
            fileCase("uploading a symbolic link sends the linked file") { transport, server, file in
                try pattern(70_001).write(to: file)
                let link = file.appendingPathExtension("link")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
                let response = try await transport.send(
                    to: server, "PUT", "/put", body: .file(link))
                try expect(response.head.statusCode, 200, "the status")
                try expect(server.requests.map(\.body), [pattern(70_001)], "the bodies")
            },
            fileCase("uploading a dangling link is an error before any request") {
                transport, server, file in
                let link = file.appendingPathExtension("link")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
                try await expectError(.fileDoesNotExist) {
                    try await transport.send(to: server, "PUT", "/", body: .file(link))
                }
                try expect(server.requests.count, 0, "the number of requests")
            },
            Case("uploading a folder is an error") { transport, server in
                let folder = FileManager.default.temporaryDirectory
                try await expectError(.fileIsDirectory) {
                    try await transport.send(to: server, "PUT", "/", body: .file(folder))
                }
            },
            fileCase("a response body is written to a file byte for byte") {
                transport, server, file in
                let response = try await transport.send(
                    to: server, "GET", "/bytes/3000001", destination: .file(file))
                guard case .file(file) = response.body else {
                    throw Failure("a file", response.body)
                }
                try expect(try Data(contentsOf: file) == pattern(3_000_001), "the same bytes")
            },
            fileCase("an empty response body creates an empty file") { transport, server, file in
                let response = try await transport.send(
                    to: server, "GET", "/status/404", destination: .file(file))
                try expect(response.head.statusCode, 404, "the status")
                try expect(try Data(contentsOf: file).count, 0, "the file's length")
            },
            fileCase("a download does not overwrite an existing file") { transport, server, file in
                try Data("precious".utf8).write(to: file)
                try await expectError(.cannotCreateFile) {
                    try await transport.send(
                        to: server, "GET", "/bytes/10", destination: .file(file))
                }
                try expect(try Data(contentsOf: file), Data("precious".utf8), "the file")
            },
            fileCase("a failed download leaves no file") { _ in
                MockResponse(body: .pattern(byteCount: 100_000)).truncated(after: 50_000)
            } whenSent: { transport, server, file in
                try await expectError(.networkConnectionLost) {
                    try await transport.send(to: server, "GET", "/", destination: .file(file))
                }
                try expectNoFile(file)
            },
            fileCase("a redirected download contains the last response's body") { request in
                guard request.path == "/a" else { return .text("here") }
                return MockResponse(
                    status: 302, headers: [HeaderField(name: "Location", value: "/b")],
                    body: .data(Data("moved".utf8)))
            } whenSent: { transport, server, file in
                _ = try await transport.send(to: server, "GET", "/a", destination: .file(file))
                try expect(try Data(contentsOf: file), Data("here".utf8), "the file")
            },
        ]
}

func expectNoFile(_ file: URL) throws {
    try expect(FileManager.default.fileExists(atPath: file.path), false, "a file left")
}

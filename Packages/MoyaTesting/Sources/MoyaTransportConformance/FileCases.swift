import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let fileCases: [Case] =
        [0, 1, 65_536, 3_000_001].map { size in
            Case("a file of \(size) bytes is uploaded byte for byte") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("upload")
                    try pattern(size).write(to: file)
                    try await MockServer.serving { request in
                        .text(request.body == pattern(request.bodyLength) ? "same" : "other")
                    } _: { server in
                        let request = try server.request("PUT", "/", body: .file(file))
                        let response = try await transport.send(request)
                        try expect(response.bytes(), Data("same".utf8), "the answer")
                        try expect(server.requests.map(\.bodyLength), [size], "the lengths")
                        try expect(
                            server.requests.first?.value(for: "Content-Length"), "\(size)",
                            "Content-Length")
                    }
                }
            }
        } + [
            Case("uploading a missing file is an error before any request") { transport in
                try await MockServer.serving { server in
                    try await expectError(.fileDoesNotExist) {
                        try await transport.send(
                            server.request(
                                "PUT", "/", body: .file(URL(fileURLWithPath: "/nonexistent/file"))))
                    }
                    try expect(server.requests.count, 0, "the number of requests")
                }
            },
            Case("uploading a symbolic link sends the linked file") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("upload")
                    try pattern(70_001).write(to: file)
                    let link = folder.appendingPathComponent("link")
                    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
                    try await MockServer.serving { server in
                        let request = try server.request("PUT", "/put", body: .file(link))
                        let response = try await transport.send(request)
                        try expect(response.head.statusCode, 200, "the status")
                        try expect(server.requests.map(\.body), [pattern(70_001)], "the bodies")
                    }
                }
            },
            Case("uploading a dangling link is an error before any request") { transport in
                try await withTemporaryFolder { folder in
                    let link = folder.appendingPathComponent("link")
                    try FileManager.default.createSymbolicLink(
                        at: link, withDestinationURL: folder.appendingPathComponent("none"))
                    try await MockServer.serving { server in
                        try await expectError(.fileDoesNotExist) {
                            try await transport.send(server.request("PUT", "/", body: .file(link)))
                        }
                        try expect(server.requests.count, 0, "the number of requests")
                    }
                }
            },
            Case("uploading a folder is an error") { transport in
                try await MockServer.serving { server in
                    try await expectError(.fileIsDirectory) {
                        try await transport.send(
                            server.request(
                                "PUT", "/", body: .file(FileManager.default.temporaryDirectory)))
                    }
                }
            },
            Case("a response body is written to a file byte for byte") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("download")
                    try await MockServer.serving { server in
                        let response = try await transport.send(
                            server.request("GET", "/bytes/3000001", destination: .file(file)))
                        guard case .file(file) = response.body else {
                            throw Failure("a file", response.body)
                        }
                        try expect(
                            try Data(contentsOf: file) == pattern(3_000_001), "the same bytes")
                    }
                }
            },
            Case("an empty response body creates an empty file") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("download")
                    try await MockServer.serving { server in
                        let request = try server.request(
                            "GET", "/status/404", destination: .file(file))
                        try expect(
                            try await transport.send(request).head.statusCode, 404, "the status")
                        try expect(try Data(contentsOf: file).count, 0, "the file's length")
                    }
                }
            },
            Case("a download does not overwrite an existing file") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("precious")
                    try Data("precious".utf8).write(to: file)
                    try await MockServer.serving { server in
                        try await expectError(.cannotCreateFile) {
                            try await transport.send(
                                server.request("GET", "/bytes/10", destination: .file(file)))
                        }
                        try expect(try Data(contentsOf: file), Data("precious".utf8), "the file")
                    }
                }
            },
            Case("a failed download leaves no file") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("download")
                    try await MockServer.serving { _ in
                        MockResponse(body: .pattern(byteCount: 100_000)).truncated(after: 50_000)
                    } _: { server in
                        try await expectError(.networkConnectionLost) {
                            try await transport.send(
                                server.request("GET", "/", destination: .file(file)))
                        }
                        try expect(
                            FileManager.default.fileExists(atPath: file.path), false, "a file left")
                    }
                }
            },
            Case("a redirected download contains the last response's body") { transport in
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("download")
                    try await MockServer.serving { request in
                        request.path == "/a"
                            ? MockResponse(
                                status: 302, headers: [HeaderField(name: "Location", value: "/b")],
                                body: .data(Data("moved".utf8)))
                            : .text("here")
                    } _: { server in
                        _ = try await transport.send(
                            server.request("GET", "/a", destination: .file(file)))
                        try expect(try Data(contentsOf: file), Data("here".utf8), "the file")
                    }
                }
            },
        ]
}

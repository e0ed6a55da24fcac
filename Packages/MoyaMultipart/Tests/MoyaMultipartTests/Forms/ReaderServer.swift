import CMoyaZlib
import Foundation
import MoyaTestSupport

/// Program in Tests/Readers that parses forms.
final class ReaderServer: Sendable {
    /// Part as an independent parser reports it.
    struct Part: Decodable, Equatable, CustomStringConvertible {
        var name: String?
        var filename: String?
        var type: String?
        var size: Int
        var crc32: UInt

        init(_ data: Data, name: String?, filename: String?, type: String?) {
            (self.name, self.filename, self.type) = (name, filename, type)
            size = data.count
            crc32 = UInt(checksum(of: data))
        }

        var description: String {
            "\(name.debugDescription) \(filename.debugDescription) \(type ?? "-") \(size) \(crc32)"
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: URL
    private let program: Program
    private let folder: TemporaryFolder

    /// Programs available on this machine. They start at the first access and end with the test
    /// process.
    static var all: [ReaderServer] {
        get async throws { try await started.value }
    }

    private static let started = Task {
        try await onThread {
            var servers = try pythons.map { python in
                try ReaderServer { sources, _ in "exec \(python) \(sources)/read_form.py" }
            }
            if Program.path(of: "go") != nil {
                servers.append(
                    try ReaderServer { sources, folder in
                        "go build -o \(folder)/server \(sources)/read_form.go && exec \(folder)/server"
                    })
            }
            return servers
        }
    }

    private static var pythons: [String] {
        #if os(Linux)
            // The package manager installs packages for the system's Python, which may differ from
            // `python3` in the path.
            let system = "/usr/bin/python3"
            if FileManager.default.isExecutableFile(atPath: system) { return ["python3", system] }
        #endif
        return ["python3"]
    }

    /// - Parameter script: Returns a shell command, given the folder of the sources and a temporary
    ///   folder. Both are quoted.
    private init(_ script: (String, String) -> String) throws {
        folder = try TemporaryFolder()
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = Pipe()
        let command = script("'\(tests.path)/Readers'", "'\(folder.url.path)'")
        program = try Program("/bin/sh", ["-c", command], output: output)
        // The program prints its port and closes its output.
        let said = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard let port = Int(said.trimmingCharacters(in: .whitespacesAndNewlines)),
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw Failure(description: "\(command) said: \(said)") }
        self.url = url
    }
}

/// Returns the CRC-32 of RFC 1952.
func checksum(of data: Data) -> UInt32 {
    data.withUnsafeBytes { bytes in
        UInt32(crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count)))
    }
}

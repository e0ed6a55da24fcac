import Foundation

/// openssl as a server with TLS on 127.0.0.1, for the time of a test.
final class TLSServer: Sendable {
    enum Certificate: String, Sendable {
        case selfSigned, signedByUnknownAuthority
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static var isPossible: Bool {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
        #else
            // LibreSSL's server cannot choose its own port.
            false
        #endif
    }

    let url: URL
    /// The certificate that signed the server's, in PEM form.
    let authority: URL
    private let folder: URL
    private let process: Process

    init(_ certificate: Certificate = .selfSigned, options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appendingPathComponent("ca.pem")
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: "/bin/sh")
        maker.arguments = ["-c", Self.script(certificate)]
        maker.currentDirectoryURL = folder
        maker.standardError = FileHandle.nullDevice
        maker.standardOutput = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        guard maker.terminationStatus == 0 else {
            throw Failure(description: "openssl could not make the certificates.")
        }
        (process, url) = try Self.start(in: folder, options)
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server on a port of its choice, which it names once it listens.
    private static func start(in folder: URL, _ options: [String]) throws -> (Process, URL) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key"]
            + ["-www"] + options
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var said = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(description: "openssl said: \(said)") }
            said += String(decoding: data, as: UTF8.self)
            for line in said.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
                guard said.contains(line + "\n"),
                    let url = URL(string: "https://\(line.dropFirst(7))/")
                else { continue }
                return (process, url)
            }
        }
    }

    private static func script(_ certificate: Certificate) -> String {
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        let sign =
            switch certificate {
            case .selfSigned: "-signkey server.key"
            case .signedByUnknownAuthority: "-CA ca.pem -CAkey ca.key -CAcreateserial"
            }
        return """
            set -e
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
            openssl req \(key) -keyout server.key -out server.csr -subj /CN=server
            echo 'subjectAltName=IP:127.0.0.1' > ext
            openssl x509 -req -in server.csr \(sign) -days 2 \
                -extfile ext -out server.pem
            """
    }
}

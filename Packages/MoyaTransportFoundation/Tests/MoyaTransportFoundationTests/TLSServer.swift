import Foundation
import MoyaTestSupport

/// openssl's TLS server on 127.0.0.1, for the duration of a test.
final class TLSServer: Sendable {
    enum Certificate: String, Sendable {
        case selfSigned, signedByUnknownAuthority
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: URL
    private let folder: TemporaryFolder
    private let program: Program

    init(_ certificate: Certificate = .selfSigned, options: [String] = []) async throws {
        let command =
            (["openssl s_server -accept 127.0.0.1:0 -cert server.pem -key server.key -www"]
            + options).joined(separator: " ")
        let folder = try TemporaryFolder()
        self.folder = folder
        (program, url) = try await onThread {
            guard try Self.shell(Self.script(certificate), in: folder).hasSucceededSynchronously()
            else {
                throw Failure(description: "openssl could not make the certificates.")
            }
            return try Self.start(command, in: folder)
        }
    }

    private static func shell(
        _ script: String, in folder: TemporaryFolder, output: Pipe? = nil
    ) throws -> Program {
        try Program(
            "/bin/sh", ["-c", "set -e; cd '\(folder.url.path)'; \(script)"], output: output)
    }

    /// Starts the server on a free port, and waits until it prints the port.
    private static func start(
        _ command: String, in folder: TemporaryFolder
    ) throws -> (Program, URL) {
        let output = Pipe()
        let program = try shell("exec \(command)", in: folder, output: output)
        var said = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(description: "The server said: \(said)") }
            said += String(decoding: data, as: UTF8.self)
            for line in said.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
                guard said.contains(line + "\n"),
                    let url = URL(string: "https://\(line.dropFirst(7))/")
                else { continue }
                return (program, url)
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
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
            openssl req \(key) -keyout server.key -out server.csr -subj /CN=server
            echo 'subjectAltName=IP:127.0.0.1' > ext
            openssl x509 -req -in server.csr \(sign) -days 2 \
                -extfile ext -out server.pem
            """
    }
}

extension Requirement {
    /// Requires OpenSSL's server. LibreSSL's server on macOS cannot choose a free port.
    static let opensslServer: Requirement = {
        #if os(Linux)
            .openssl
        #else
            Requirement("OpenSSL's server", remedy: "Run the tests on Linux.", isMet: false)
        #endif
    }()
}

import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TLS connections that end with and without the alert close_notify (RFC 9112, section 9.8).
@Suite(
    .timeLimit(.minutes(3)), .requires(.libcurlWithOpenSSL, .python("ssl")))
struct CloseNotifyTests {
    enum Version: String, CaseIterable { case TLSv1_2, TLSv1_3 }

    private func fetch(
        _ end: BodyEnd, isAnnounced: Bool, from server: PythonTLSServer,
        over transport: CurlTransport, to destination: ResponseDestination = .memory(),
        _ method: String = "GET"
    ) async throws -> Data {
        let path = "\(end.rawValue)/\(isAnnounced)"
        var request = URLRequest.patient(server.url.appendingPathComponent(path))
        request.httpMethod = method
        let response = try await transport.send(
            TransportRequest(request, destination: destination))
        switch response.body {
        case .data(let data): return data
        case .file(let file): return try Data(contentsOf: file)
        case .stream(let stream): return try await stream.collect(upTo: 100)
        }
    }

    /// curl 8.15 and later also reject such a body.
    @Test(arguments: Version.allCases)
    func `a body that ends with the connection is an error without a TLS close_notify`(
        version: Version
    ) async throws {
        let server = try await PythonTLSServer(version.rawValue)
        let transport = try CurlTransport(configuration: server.clientConfiguration)
        let folder = try TemporaryFolder()
        let file = folder.file()
        for _ in 0..<3 {
            for destination in [ResponseDestination.memory(), .file(file), .stream] {
                let error = await #expect(throws: URLError.self) {
                    try await fetch(
                        .close, isAnnounced: false, from: server, over: transport, to: destination)
                }
                #expect(error?.code == .networkConnectionLost)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            let body = try await fetch(.close, isAnnounced: true, from: server, over: transport)
            #expect(body == Data("hello".utf8))
        }
        for loop in try transport.allLoops() {
            #expect(try await loop.perform { $0.context.closingConnections.isAnnounced.isEmpty })
        }
    }

    @Test(arguments: Version.allCases, [BodyEnd.length, .chunks])
    func `a body with complete framing needs no TLS close_notify`(
        version: Version, end: BodyEnd
    ) async throws {
        let server = try await PythonTLSServer(version.rawValue)
        let transport = try CurlTransport(configuration: server.clientConfiguration)
        for isAnnounced in [false, true] {
            let body = try await fetch(end, isAnnounced: isAnnounced, from: server, over: transport)
            #expect(body == Data("hello".utf8))
        }
    }

    @Test(arguments: Version.allCases)
    func `a challenge that closes its connection does not fail the response on another connection`(
        version: Version
    ) async throws {
        let server = try await PythonTLSServer(version.rawValue)
        var configuration = server.clientConfiguration
        configuration.authentication = .basic
        let transport = try CurlTransport(configuration: configuration)
        let url = server.url.appendingPathComponent("asked/length/true")
        var request = TransportRequest(.patient(url))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        for _ in 0..<3 {
            let response = try await transport.send(request)
            #expect(response.head.statusCode == 200)
            #expect(try response.text == "hello")
        }
        for loop in try transport.allLoops() {
            #expect(try await loop.perform { $0.context.closingConnections.isAnnounced.isEmpty })
        }
    }

    @Test func `a response to HEAD needs no TLS close_notify`() async throws {
        let server = try await PythonTLSServer("TLSv1_3")
        let transport = try CurlTransport(configuration: server.clientConfiguration)
        let body = try await fetch(
            .close, isAnnounced: false, from: server, over: transport, "HEAD")
        #expect(body.isEmpty)
    }
}

/// A server on Python's `ssl`, on 127.0.0.1, for one test. `/END/true` and `/END/false` respond
/// with `hello`, with the end marker `END` (a `BodyEnd`), and close the connection with or without
/// close_notify.
private final class PythonTLSServer: Sendable {
    private static let script = """
        import os, socket, ssl, sys

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.maximum_version = ssl.TLSVersion[sys.argv[3]]
        answers = {
            "length": b"Content-Length: 5\\r\\n\\r\\nhello",
            "chunks": b"Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n0\\r\\n\\r\\n",
            "close": b"\\r\\nhello",
        }
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        os.close(1)
        while True:
            plain, _ = listener.accept()
            try:
                with context.wrap_socket(plain, server_side=True) as connection:
                    head = b""
                    while b"\\r\\n\\r\\n" not in head:
                        more = connection.recv(4096)
                        if not more: break
                        head += more
                    method, path = head.decode().split(" ")[:2]
                    if path.startswith("/asked/"):
                        path = path[6:]
                        if b"Authorization" not in head:
                            connection.sendall(
                                b'HTTP/1.1 401 Who\\r\\nWWW-Authenticate: Basic realm="a"\\r\\n\\r\\nwho?')
                            connection.unwrap()
                            continue
                    end, isAnnounced = path[1:].split("/")
                    answer = b"HTTP/1.1 200 OK\\r\\n" + answers[end]
                    if method == "HEAD": answer = answer[:answer.index(b"\\r\\n\\r\\n") + 4]
                    connection.sendall(answer)
                    if isAnnounced == "true": connection.unwrap()
            except (OSError, ValueError):
                pass
        """

    let url: URL
    private let folder: TemporaryFolder
    private let program: Program

    init(_ version: String) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try await TestCertificates.make(.valid, in: folder.url)
        let output = Pipe()
        let files = ["server.pem", "server.key"].map { folder.file($0).path }
        program = try Python.run(["-c", Self.script] + files + [version], output: output)
        // The server closes its output after it has written its port.
        let said = try await onThread { try output.fileHandleForReading.readToEnd() ?? Data() }
        let port = try #require(Int(String(decoding: said.dropLast(), as: UTF8.self)))
        url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
    }

    /// The configuration of a transport that trusts the server.
    var clientConfiguration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(folder.file("ca.pem"))
        return configuration
    }
}

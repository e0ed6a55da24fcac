import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// A server for HTTP/2 over TLS on Python's `ssl`, on 127.0.0.1, for one test. It takes its steps
/// one after the other:
///
/// - `accept`: accepts a connection.
/// - `answer`: responds to the next request with 200.
/// - `refuse`: resets its stream with REFUSED_STREAM.
/// - `leave`: excludes it with a GOAWAY.
/// - `garble`: responds to it with an invalid frame.
/// - `drop`: closes the connection after it.
/// - `end`: waits for ``proceed()``, and closes the connection with close_notify, without a GOAWAY.
final class PythonHTTP2Server: Sendable {
    private static let script = """
        import os, socket, ssl, struct, sys

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        control = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], control.getsockname()[1], flush=True)
        os.close(1)

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload

        def take(count):
            data = b""
            while len(data) < count:
                more = connection.recv(count - len(data))
                if not more: sys.exit()
                data += more
            return data

        def next_frame():
            global acknowledged
            head = take(9)
            take(int.from_bytes(head[:3], "big"))
            if head[3] == 4 and head[4] & 1: acknowledged = True
            return head

        def request():
            while True:
                head = next_frame()
                if head[3] < 2 and head[4] & 1: return int.from_bytes(head[5:], "big")

        connection = None
        for step in sys.argv[3:]:
            if step == "accept":
                before, connection = connection, context.wrap_socket(listener.accept()[0], server_side=True)
                acknowledged = False
                take(24)
                connection.sendall(frame(4, 0, 0) + frame(4, 1, 0))
            elif step == "end":
                asking = control.accept()[0]
                # Nothing may be unread: TCP would reset the connection.
                while not acknowledged: next_frame()
                connection.setblocking(False)
                try: connection.unwrap()
                except (ssl.SSLError, OSError): pass
                connection.close()
                asking.sendall(b"0")
                asking.close()
            else:
                stream = request()
                if step == "answer":
                    connection.sendall(frame(1, 4, stream, b"\\x88") + frame(0, 1, stream, b"hello"))
                elif step == "refuse": connection.sendall(frame(3, 0, stream, struct.pack(">I", 7)))
                elif step == "leave": connection.sendall(frame(7, 0, 0, struct.pack(">II", max(0, stream - 2), 0)))
                elif step == "garble": connection.sendall(frame(0, 0, 0, b"0"))
                elif step == "drop": connection.close()
        # Until the test ends the process.
        control.accept()
        """

    let url: URL
    private let control: Int
    private let folder: TemporaryFolder
    private let program: Program

    init(_ steps: String...) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try await TestCertificates.make(.valid, in: folder.url)
        let output = Pipe()
        let files = ["server.pem", "server.key"].map { folder.file($0).path }
        program = try Python.run(["-c", Self.script] + files + steps, output: output)
        // The server closes its output after it has written its ports.
        let said = try await onThread { try output.fileHandleForReading.readToEnd() ?? Data() }
        let ports = String(decoding: said, as: UTF8.self).split { !$0.isNumber }.compactMap {
            Int($0)
        }
        try #require(ports.count == 2)
        url = try #require(URL(string: "https://127.0.0.1:\(ports[0])/"))
        control = ports[1]
    }

    /// Makes the server take its step `end`, and waits for it.
    func proceed() async throws {
        try await onThread { [control] in
            let client = try RawClient(port: control)
            defer { client.close() }
            try #require(client.read().count == 1)
        }
    }

    /// A transport that trusts the server, with one pool of connections.
    func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(folder.file("ca.pem"))
        configuration.threads = 1
        return try CurlTransport(configuration: configuration)
    }
}

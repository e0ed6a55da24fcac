import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Trailer fields over HTTP/3.
@Suite(.timeLimit(.minutes(3))) struct HTTP3TrailerTests {
    /// With aioquic, because Caddy 2.6 does not forward trailer fields.
    @Test(
        .requires(
            .http3, .python("aioquic.asyncio, aioquic.h3.connection", from: "aioquic"), .openssl),
        arguments: [5, 3_000_000])
    func `HTTP/3 response trailers are not in the head`(count: Int) async throws {
        let server = try await PythonServer()
        let transport = try CurlTransport(configuration: server.clientConfiguration)
        for destination in [ResponseDestination.memory(), .stream] {
            let url = server.url.appendingPathComponent("\(count)")
            let response = try await transport.send(
                TransportRequest(URLRequest(url: url), destination: destination))
            #expect(response.metrics.protocolName == "h3")
            #expect(response.head.value(for: "Trailer") == "checksum, more")
            #expect(response.head.value(for: "Checksum") == nil)
            var (size, trailers) = (0, response.trailers)
            switch response.body {
            case .data(let data): size = data.count
            case .file: Issue.record("Nobody has asked for a file.")
            case .stream(let stream):
                for try await piece in stream { size += piece.count }
                trailers = stream.trailers ?? []
            }
            #expect(size == count)
            #expect(
                trailers == [
                    HeaderField(name: "checksum", value: "abc"), .init(name: "more", value: "1"),
                ])
        }
    }

    @Test(
        .requires(.http3),
        arguments: [CurlTransport.Configuration.HTTPVersion.http3, .http3Only])
    func `HTTP/3 request trailers are an error`(
        version: CurlTransport.Configuration.HTTPVersion
    ) async throws {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = version
        var stream = RequestBodyStream(length: nil) { AsyncStream<Data> { $0.finish() } }
        stream.trailers = { [HeaderField(name: "Checksum", value: "abc")] }
        var request = URLRequest(url: try #require(URL(string: "https://127.0.0.1:1/")))
        request.httpMethod = "PUT"
        let transport = try CurlTransport(configuration: configuration)
        let message = TransportRequest(request, body: .stream(stream))
        let error = await #expect(throws: URLError.self) { try await transport.send(message) }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.localizedDescription.contains("Use httpVersion .http1.") == true)
    }
}

/// An HTTP/3 server on the Python package aioquic. The path is the size of the response's body in
/// bytes, and two trailer fields follow.
private final class PythonServer: Sendable {
    private static let script = """
        import asyncio, os, sys
        from aioquic.asyncio import QuicConnectionProtocol, serve
        from aioquic.h3.connection import H3Connection
        from aioquic.h3.events import HeadersReceived
        from aioquic.quic.configuration import QuicConfiguration

        class Server(QuicConnectionProtocol):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                self.http = H3Connection(self._quic)

            def quic_event_received(self, event):
                for event in self.http.handle_event(event):
                    if isinstance(event, HeadersReceived):
                        self.answer(event.stream_id, int(dict(event.headers)[b":path"][1:]))

            def answer(self, stream, count):
                head = [(b":status", b"200"), (b"trailer", b"checksum, more")]
                self.http.send_headers(stream, head)
                self.http.send_data(stream, bytes(count), False)
                trailers = [(b"checksum", b"abc"), (b"more", b"1")]
                self.http.send_headers(stream, trailers, True)
                self.transmit()

        async def main():
            configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"])
            configuration.load_cert_chain(sys.argv[1], sys.argv[2])
            server = await serve(
                "127.0.0.1", 0, configuration=configuration, create_protocol=Server)
            print(server._transport.get_extra_info("sockname")[1], flush=True)
            os.dup2(2, 1)
            await asyncio.Future()

        asyncio.run(main())
        """

    let url: URL
    private let folder: TemporaryFolder
    private let program: Program

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try await TestCertificates.make(.valid, in: folder.url)
        let output = Pipe()
        let files = ["server.pem", "server.key"].map { folder.file($0).path }
        program = try Python.run(["-c", Self.script] + files, output: output)
        // The server closes its output after it has written its port.
        let said = try await onThread { try output.fileHandleForReading.readToEnd() ?? Data() }
        let port = try #require(Int(String(decoding: said.dropLast(), as: UTF8.self)))
        url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
    }

    /// The configuration of a transport that uses HTTP/3 only, and trusts the server.
    var clientConfiguration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http3Only
        configuration.tls.trust = .file(folder.file("ca.pem"))
        return configuration
    }
}

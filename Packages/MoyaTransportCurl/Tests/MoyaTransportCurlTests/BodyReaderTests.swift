import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Request bodies with a `BodyReader`, which the transport reads on its own thread.
@Suite(.timeLimit(.minutes(1))) struct BodyReaderTests {
    private final class Reader: BodyReader {
        private var rest: Data

        init(_ data: Data) { rest = data }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let piece = rest.prefix(buffer.count)
            piece.copyBytes(to: buffer)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    private func post(
        _ data: Data, announcing length: Int?, to server: MockServer
    ) async throws -> TransportResponse {
        var body = RequestBodyStream(length: length.map(Int64.init)) {
            Issue.record("The body is read as a sequence.")
            return AsyncStream<Data> { nil }
        }
        body.makeReader = { Reader(data) }
        var request = URLRequest.patient(server.url)
        request.httpMethod = "POST"
        return try await CurlTransport().send(TransportRequest(request, body: .stream(body)))
    }

    @Test(arguments: [0, 1, 300_001], [true, false])
    func `a body with a reader is sent completely, with its length or in chunks`(
        count: Int, isLengthKnown: Bool
    ) async throws {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let data = Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0 &* 7) })
        _ = try await post(data, announcing: isLengthKnown ? count : nil, to: server)
        let request = try #require(server.requests.first)
        #expect(request.body == data)
        #expect(request.value(for: "Content-Length") == (isLengthKnown ? "\(count)" : nil))
    }

    @Test(arguments: [99, 101])
    func `a body whose reader has fewer or more bytes than announced is an error`(count: Int)
        async throws
    {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await post(Data(count: count), announcing: 100, to: server)
        }
        #expect(error?.code == .requestBodyStreamExhausted)
    }
}

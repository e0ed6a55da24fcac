import CMoyaCurl
import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that respond before they have the request's body, and reset the connection.
@Suite(.timeLimit(.minutes(3))) struct EarlyRefusalsTests {
    /// RFC 9112, section 9.5.
    @Test(arguments: ["200 OK", "413 Large"])
    func `a response that is complete when the server resets the connection is the result`(
        status: String
    ) async throws {
        let isRead = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok")
            isRead.wait()
            connection.resetAtEnd()
        }
        defer {
            isRead.signal()
            server.stop()
        }
        var request = URLRequest.patient(server.url)
        request.httpMethod = "POST"
        let body = RequestBody.data(Data(repeating: 1, count: 32 << 20))
        let sent = TransportRequest(
            request, body: body, progress: { if $0.bytesReceived == 2 { isRead.signal() } })
        let response = try await CurlTransport().send(sent)
        #expect("\(response.head.statusCode)" == status.prefix(3))
        #expect(try response.text == "ok")
    }

    @Test func `libcurl reads a socket before it writes to it`() {
        #expect(EarlyRefusals.readingFirst(CURL_CSELECT_OUT) == CURL_CSELECT_IN | CURL_CSELECT_OUT)
        #expect(EarlyRefusals.readingFirst(CURL_CSELECT_IN) == CURL_CSELECT_IN)
        #expect(EarlyRefusals.readingFirst(0) == 0)
    }
}

import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import Testing

import MoyaTestSupport
@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Invalid response heads (RFC 9112, sections 4 and 5), and unusual valid ones.
@Suite(.seeded, .timeLimit(.minutes(3))) struct HeadFaultsTests {
    private func response(
        to change: (inout URLRequest) -> Void = { _ in }, _ answer: Data
    ) async throws -> TransportResponse {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { _ in answer }
        defer { server.stop() }
        var request = URLRequest.patient(server.url)
        change(&request)
        return try await CurlTransport().send(TransportRequest(request))
    }

    private func expectFault(
        _ answer: String, _ words: String, _ change: (inout URLRequest) -> Void = { _ in }
    ) async {
        let error = await #expect(throws: URLError.self) {
            try await response(to: change, Data(answer.utf8))
        }
        #expect(error?.code == .badServerResponse)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains(words), "\(text)")
    }

    /// A status code has three digits, the first from 1 to 5 (RFC 9110, section 15).
    @Test(arguments: ["000 X", "099 X", "020 OK", "2000 OK", "20 OK", "2x0 OK"])
    func `a status line without a status code is an error`(status: String) async {
        await expectFault(
            "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "status")
    }

    /// libcurl reads these lines as status 200. The protocol's name is case-sensitive (RFC 9112,
    /// section 2.3).
    @Test(arguments: [
        "http/1.1 404 Not Found", "HTTP/ 404 Not Found", "HTTP/x 404", "Http/1.1 200 OK",
    ]) func `a status line of a protocol that is not HTTP is an error`(line: String) async {
        await expectFault("\(line)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "status")
    }

    /// libcurl continues with the fields of the earlier response.
    @Test(arguments: ["http/1.1 201 Created", "HTTP/x 201", "Http/1.1 200 OK"], [true, false])
    func `a status line of a protocol that is not HTTP is an error after an informational response`(
        line: String, isStream: Bool
    ) async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\(line)\r\nA: b\r\nContent-Length: 2\r\n"
            + "Connection: close\r\n\r\nhi"
        try await expectFault(in: [answer], isStream: isStream)
    }

    @Test(arguments: ["http/1.1 200 OK", "HTTP/x 201"], [true, false])
    func `a status line of a protocol that is not HTTP is an error after a challenge`(
        line: String, isStream: Bool
    ) async throws {
        try await expectFault(
            in: [
                "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n",
                "\(line)\r\nA: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
            ], isStream: isStream)
    }

    /// Sends a request with a credential to a server that sends `answers`, one for each request on
    /// a connection.
    private func expectFault(in answers: [String], isStream: Bool) async throws {
        let server = try RawServer { connection in
            for answer in answers {
                guard !connection.read(until: "\r\n\r\n").isEmpty else { return }
                connection.write(answer)
            }
        }
        defer { server.stop() }
        let request = TransportRequest(
            .patient(server.url), destination: isStream ? .stream : .memory(),
            credential: URLCredential(user: "u", password: "p", persistence: .none))
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(request)
        }
        #expect(error?.code == .badServerResponse)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("status"), "\(text)")
    }

    /// libcurl takes the line for the end of the head, and the next fields for the body. Go and
    /// Python read those as fields.
    @Test(arguments: ["\rA: b\r\n", "\r \r\n", "\r\r\n"])
    func `a line of the head that begins with a carriage return is an error`(line: String) async {
        await expectFault(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(line)Connection: close\r\n\r\nhi",
            "carriage return")
    }

    /// RFC 9110, section 15.2.2.
    @Test func `an unrequested 101 response is an error`() async throws {
        let answer =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: close\r\n\r\nhello"
        await expectFault(answer, "protocol")
        await expectFault("HTTP/1.1 103 Early Hints\r\n\r\n" + answer, "protocol")
        let response = try await response(
            to: {
                $0.setValue("x", forHTTPHeaderField: "Upgrade")
                $0.setValue("Upgrade", forHTTPHeaderField: "Connection")
            }, Data(answer.utf8))
        #expect(response.head.statusCode == 101)
    }

    @Test(arguments: ["HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nX: "])
    func `an endless line of the head is an error that says the line is too long`(start: String)
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(start)
            let piece = Data(repeating: UInt8(ascii: "x"), count: 64 << 10)
            while connection.write(piece) {}
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(TransportRequest(.patient(server.url)))
        }
        #expect(error?.code == .badServerResponse)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("too long"), "\(text)")
        #expect(error?.userInfo[NSUnderlyingErrorKey] is CurlError)
    }

    /// Clients reject the response or ignore the line (RFC 9112, section 2.2). libcurl 7.84 to 8.2
    /// reject it.
    @Test func `a first field that begins with a space is refused or left out`() async {
        let result = await Result.catching {
            try await response(
                Data("HTTP/1.1 200 OK\r\n x: y\r\nContent-Length: 2\r\n\r\nhi".utf8))
        }
        if (0x075400..<0x080300).contains(CurlLibrary.version) {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .badServerResponse)
            #expect(error?.localizedDescription.contains("function") == false)
        } else {
            let response = try? result.get()
            #expect(response?.head.value(for: "x") == nil)
            #expect((try? response?.text) == "hi", "\(result)")
        }
    }

    /// libcurl before 8.16 reads such fields without the second line.
    @Test(arguments: [
        "Content-Length: 2\r\n 0", "Content-Length:\r\n 2", "Transfer-Encoding:\r\n chunked",
        "A: b\r\nContent-Length: 1,\r\n 1",
    ]) func `a folded field never determines where a body ends`(fields: String) async {
        let body = "0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let result = await Result.catching {
            try await response(
                Data(
                    "HTTP/1.1 200 OK\r\nA: b\r\n\(fields)\r\nConnection: close\r\n\r\n\(body)".utf8)
            )
        }
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .badServerResponse)
    }

    // MARK: Unusual valid heads

    /// Opaque data for a client (RFC 9110, section 5.5). Python's `http.client` also decodes it as
    /// ISO 8859-1.
    @Test func `a Latin-1 byte in a header field is decoded`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: Jos"
        let response = try await response(
            Data(head.utf8) + Data([0xE9]) + Data("\r\n\r\nhi".utf8))
        #expect(response.head.value(for: "X-Name") == "José")
        #expect(try response.text == "hi")
    }

    /// The reason phrase is optional (RFC 9112, section 4). Go and Python accept a line without the
    /// space before it.
    @Test(arguments: ["HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n"])
    func `a status line may lack its reason phrase`(line: String) async throws {
        let response = try await response(
            Data("\(line)Content-Length: 2\r\nA: b\r\n\r\nhi".utf8))
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "A") == "b")
        #expect(try response.text == "hi")
    }

    /// RFC 9112, section 2.2.
    @Test func `lines of the head may end with LF alone`() async throws {
        let response = try await response(
            Data("HTTP/1.1 200 OK\nContent-Length: 2\nA: b\n\nhi".utf8))
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "A") == "b")
        #expect(try response.text == "hi")
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parses the form that a server has received.
func readForm(_ request: MockRequest) throws -> [MultipartPart] {
    var parser = try MultipartParser(contentType: request.value(for: "Content-Type"))
    var reading = Reading()
    let events = try parser.parse(request.body) + parser.finish()
    for event in events { reading.add(event) }
    return reading.parts
}

@Suite struct MultipartTransferTests {
    private let content = pattern(3_000_001)

    private func target(
        _ parts: [MultipartFormBodyPart], at server: MockServer, path: String = "/",
        kind: FormTask = .formData, validation: ValidationType = .none
    ) -> Transfer {
        Transfer(
            baseURL: server.url, path: path, method: .post, task: kind.task(parts),
            validationType: validation)
    }

    @Test(arguments: Carrier.allCases)
    func `a form of data, files and streams arrives byte for byte with its length`(carrier: Carrier)
        async throws
    {
        let folder = try TemporaryFolder()
        let parts = [
            text("hello", name: "greeting"),
            .init(provider: .data(content), name: "data"),
            .init(provider: .file(try folder.file("f.png", content)), name: "file"),
            .init(
                provider: .stream(InputStream(data: content), UInt64(content.count)), name: "stream"
            ),
            .init(provider: .sequence(.init(length: 3) { Pieces(["a", "bc"]) }), name: "sequence"),
        ]
        let received = Locked<Result<[MultipartPart], any Error>?>(nil)
        let server = try MockServer { request in
            received.withLock { $0 = Result { try readForm(request) } }
            return .text(request.value(for: "Content-Length") == "\(request.bodyLength)" ? "" : "?")
        }
        defer { server.stop() }
        let response = try await MoyaProvider<Transfer>(transport: carrier.transport).request(
            target(parts, at: server))
        #expect(response.data.isEmpty)
        let found = try #require(try received.withLock { $0 }?.get())
        #expect(found.map(\.header.name) == ["greeting", "data", "file", "stream", "sequence"])
        #expect(
            found.map(\.body) == [Data("hello".utf8), content, content, content, Data("abc".utf8)])
        #expect(found[2].header.fileName == "f.png")
        #expect(found[2].header.contentType == "image/png")
    }

    @Test func `a PartSequence equals only its copies`() {
        let sequence = MultipartFormData.PartSequence(once: Pieces(["a"]))
        let other = MultipartFormData.PartSequence(once: Pieces(["a"]))
        #expect(Set([sequence, sequence, other]).count == 2)
    }

    @Test(arguments: Carrier.allCases)
    func `a form of unknown length is sent in chunks`(carrier: Carrier) async throws {
        let received = Locked<Result<[MultipartPart], any Error>?>(nil)
        let server = try MockServer { request in
            received.withLock { $0 = Result { try readForm(request) } }
            return .text(request.value(for: "Content-Length") ?? "none")
        }
        defer { server.stop() }
        let sequence = MultipartFormData.PartSequence(once: Pieces(["a", "", "bc"]))
        let response = try await MoyaProvider<Transfer>(transport: carrier.transport).request(
            target([.init(provider: .sequence(sequence), name: "s")], at: server))
        // FoundationTransport writes the body to a file first, so its length is known.
        if carrier == .curl { #expect(try response.mapString() == "none") }
        #expect(try received.withLock { $0 }?.get().map(\.body) == [Data("abc".utf8)])
    }

    @Test(arguments: FormTask.allCases)
    func `a form request is validated like any other request`(kind: FormTask) async throws {
        let server = try MockServer { _ in .text("answer", status: 287) }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let parts = [text("1", name: "a")]
        let refused = target(parts, at: server, kind: kind, validation: .customCodes([286]))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(refused) }
        #expect(error?.response?.statusCode == 287)
        let accepted = target(parts, at: server, kind: kind, validation: .successCodes)
        #expect(try await provider.request(accepted).mapString() == "answer")
    }

    @Test(arguments: Carrier.allCases, [FormTask.multipart, .formData])
    func `a form's upload progress rises to 1`(carrier: Carrier, kind: FormTask) async throws {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let seen = Locked<[Double]>([])
        let parts = [MultipartFormBodyPart(provider: .data(content), name: "data")]
        try await MoyaProvider<Transfer>(transport: carrier.transport).report(
            target(parts, at: server, kind: kind),
            to: { progress in seen.withLock { $0.append(progress.progress) } })
        let values = seen.withLock { $0 }
        #expect(values.last == 1)
        #expect(values == values.sorted())
        #expect(values.contains { $0 > 0 && $0 < 1 })
    }

    @Test(arguments: Carrier.allCases)
    func `a redirect sends the form again if every part is replayable`(carrier: Carrier)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", content)
        let again = Locked<Result<[MultipartPart], any Error>?>(nil)
        let server = try MockServer { request in
            guard request.path == "/there" else { return .redirect(to: "/there", status: 307) }
            again.withLock { $0 = Result { try readForm(request) } }
            return .text("there")
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport)
        let response = try await provider.request(
            target([.init(provider: .file(file), name: "f")], at: server))
        #expect(try response.mapString() == "there")
        #expect(try again.withLock { $0 }?.get().map(\.body) == [content])
        let once = MultipartFormBodyPart(
            provider: .stream(InputStream(data: content), UInt64(content.count)), name: "s")
        await #expect(throws: MoyaError.self) {
            try await provider.request(target([once], at: server))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a part that fails while it is sent fails the request without a whole form arriving`(
        carrier: Carrier
    ) async throws {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport)
        let wrong = InputStream(data: content)
        let parts: [MultipartFormBodyPart] = [
            .init(provider: .stream(wrong, UInt64(content.count + 1)), name: "short"),
            .init(
                provider: .sequence(.init(length: nil) { Pieces(["a"], fails: true) }),
                name: "fails"),
        ]
        for part in parts {
            let error = await #expect(throws: MoyaError.self) {
                try await provider.request(target([part], at: server))
            }
            let cause = error?.underlyingError
            let deeper = (cause as? URLError)?.userInfo[NSUnderlyingErrorKey] as? any Error
            let causes = [cause, deeper].compactMap { $0 }
            #expect(
                causes.contains { $0 is MultipartFormError || $0 is Pieces.Failure },
                "\(String(describing: error))")
        }
        try await server.waitUntilDisconnected()
        #expect(server.requests.isEmpty)
    }
}

/// Asynchronous sequence of text chunks, with an optional error at the end.
struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    struct Failure: Error {}

    private var pieces: ArraySlice<String>
    private let fails: Bool

    init(_ pieces: [String], fails: Bool = false) {
        self.pieces = pieces[...]
        self.fails = fails
    }

    mutating func next() async throws -> Data? {
        if pieces.isEmpty, fails { throw Failure() }
        return pieces.popFirst().map { Data($0.utf8) }
    }

    func makeAsyncIterator() -> Pieces { self }
}

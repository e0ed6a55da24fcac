import CMoyaZlib
import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decompresses `data` and checks that no bytes are left over.
private func inflate(_ data: Data, _ coding: ContentCoding) throws -> Data {
    var stream = z_stream()
    try #require(
        inflateInit2_(
            &stream, coding.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    var (input, output) = (Array(data), Data())
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var code = Z_OK
    try input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        while code == Z_OK {
            try room.withUnsafeMutableBufferPointer { room in
                stream.next_out = room.baseAddress
                stream.avail_out = uInt(room.count)
                code = inflate(&stream, Z_NO_FLUSH)
                let base = try #require(room.baseAddress)
                output.append(base, count: room.count - Int(stream.avail_out))
            }
        }
    }
    try #require(code == Z_STREAM_END && stream.avail_in == 0)
    return output
}

/// Returns text that compresses moderately.
private func content(_ count: Int) -> Data {
    var random = SeededGenerator(seed: UInt64(count))
    var data = Data()
    let distinct = min(count, 256 << 10)
    while data.count < distinct { data += Data("\(random.next() % 10_000),".utf8) }
    while data.count < count { data += data }
    return data.prefix(count)
}

extension Carrier {
    /// Every transport with every coding.
    fileprivate static let codings = allCases.flatMap { carrier in
        ContentCoding.allCases.map { (carrier: carrier, coding: $0) }
    }

    /// Whether the transport sends a body of unknown length with chunked transfer coding.
    fileprivate var sendsChunks: Bool {
        #if canImport(Darwin)
            true
        #else
            self == .curl
        #endif
    }
}

@Suite struct CompressionTests {
    /// Sends the task. Returns the request as it arrived, and its decompressed body.
    private func send(
        _ task: RequestTask, headers: [String: String] = [:], over carrier: Carrier = .curl
    ) async throws -> (request: MockRequest, body: Data) {
        let received = Locked<MockRequest?>(nil)
        let server = try MockServer { request in
            received.withLock { $0 = request }
            return .text("")
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(
            endpointClosure: {
                MoyaProvider.defaultEndpointMapping(for: $0).adding(newHTTPHeaderFields: headers)
            }, transport: carrier.transport)
        _ = try await provider.request(
            Transfer(baseURL: server.url, path: "/", method: .post, task: task))
        let request = try #require(received.withLock { $0 })
        guard let coding = request.value(for: "Content-Encoding").flatMap(ContentCoding.init) else {
            return (request, request.body)
        }
        return (request, try inflate(request.body, coding))
    }

    @Test(arguments: Carrier.codings, [1_024, 100_000, 1 << 20, 3_000_001])
    func `data compressed for an upload arrives unchanged`(
        way: (carrier: Carrier, coding: ContentCoding), size: Int
    )
        async throws
    {
        let (carrier, coding) = way
        let data = content(size)
        let sent = try await send(RequestTask.requestData(data).compressed(coding), over: carrier)
        #expect(sent.request.value(for: "Content-Encoding") == coding.rawValue)
        #expect(sent.body == data)
        #expect(sent.request.bodyLength < size)
        let length = sent.request.value(for: "Content-Length")
        // FoundationTransport writes the body to a file first, so its length is known.
        let isKnown = size <= 1 << 20 || !carrier.sendsChunks
        #expect(length == (isKnown ? String(sent.request.bodyLength) : nil))
    }

    @Test(arguments: Carrier.codings, [5_000, 3_000_001])
    func `a compressed file arrives unchanged`(
        way: (carrier: Carrier, coding: ContentCoding), size: Int
    )
        async throws
    {
        let (carrier, coding) = way
        let folder = try TemporaryFolder()
        let data = content(size)
        let task = RequestTask.uploadFile(try folder.file("f", data)).compressed(coding)
        let sent = try await send(task, over: carrier)
        #expect(sent.body == data)
        let isChunked = sent.request.value(for: "Transfer-Encoding") == "chunked"
        #expect(isChunked == carrier.sendsChunks)
        #expect(sent.request.bodyLength < size)
    }

    @Test func `compressed JSON and form parameters arrive unchanged, with their content types`()
        async throws
    {
        let values = (0..<1_000).map { "value \($0)" }
        let json = try await send(RequestTask.requestJSONEncodable(values).compressed())
        #expect(try JSONDecoder().decode([String].self, from: json.body) == values)
        #expect(json.request.value(for: "Content-Type") == "application/json")
        #expect(json.request.value(for: "Content-Encoding") == "gzip")
        let form = try await send(
            RequestTask.requestParameters(
                parameters: ["a": String(repeating: "b", count: 2_000)],
                encoding: URLEncoding.httpBody
            ).compressed())
        #expect(form.body == Data(("a=" + String(repeating: "b", count: 2_000)).utf8))
        #expect(
            form.request.value(for: "Content-Type")?.hasPrefix("application/x-www-form-urlencoded")
                == true)
        #expect(form.request.bodyLength < 100)
    }

    @Test(arguments: Carrier.allCases)
    func `a compressed form arrives unchanged`(carrier: Carrier) async throws {
        let form = MultipartFormData(
            boundary: "b",
            parts: [.init(provider: .data(content(2_000_000)), name: "n")])
        let sent = try await send(
            RequestTask.uploadMultipartFormData(form).compressed(), over: carrier)
        #expect(Reading(sent.body).parts.map(\.body) == [content(2_000_000)])
        #expect(sent.request.value(for: "Content-Type") == "multipart/form-data; boundary=b")
        #expect(sent.request.value(for: "Content-Encoding") == "gzip")
    }

    private struct Trailing: UploadBody {
        let trailers: [HeaderField]

        func makeBody(for _: inout URLRequest) throws -> RequestBody {
            var stream = RequestBodyStream { Pieces(["some ", "bytes"]) }
            stream.trailers = { [trailers] in trailers }
            return .stream(stream)
        }
    }

    @Test func `a compressed body keeps its trailers`() throws {
        let trailers = [HeaderField(name: "Server-Timing", value: "all;dur=1")]
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        let body = try CompressedUpload(.upload(Trailing(trailers: trailers)))
            .makeBody(for: &request)
        guard case .stream(let stream) = body else {
            Issue.record("no stream")
            return
        }
        #expect(request.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
        #expect(stream.trailers?() == trailers)
    }

    @Test func `a body below the minimum size is not compressed`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("f", content(99))
        let tasks: [RequestTask] = [
            .requestData(content(99)), .uploadFile(file),
            .uploadMultipartFormData([text(String(repeating: "x", count: 9), name: "n")]),
        ]
        for task in tasks {
            let sent = try await send(task.compressed(.gzip, minimumSize: 200))
            #expect(sent.request.value(for: "Content-Encoding") == nil)
            #expect(sent.request.value(for: "Content-Length") == String(sent.request.bodyLength))
        }
        let sent = try await send(RequestTask.requestData(content(99)).compressed(minimumSize: 99))
        #expect(sent.request.value(for: "Content-Encoding") == "gzip")
        #expect(sent.body == content(99))
    }

    @Test func `a body that has a content coding is not compressed again`() async throws {
        let data = content(5_000)
        let sent = try await send(
            RequestTask.requestData(data).compressed(), headers: ["content-encoding": "br"])
        #expect(sent.request.value(for: "Content-Encoding") == "br")
        #expect(sent.request.body == data)
        let twice = try await send(RequestTask.requestData(data).compressed().compressed(.deflate))
        #expect(twice.request.value(for: "Content-Encoding") == "gzip")
        #expect(twice.body == data)
    }

    @Test func `a request without a body is not compressed`() async throws {
        let plain = try await send(RequestTask.requestPlain.compressed(minimumSize: 0))
        let empty = try await send(RequestTask.requestData(Data()).compressed(minimumSize: 0))
        for sent in [plain, empty] {
            #expect(sent.request.value(for: "Content-Encoding") == nil)
            #expect(sent.request.bodyLength == 0)
        }
        let query = RequestTask.requestParameters(
            parameters: ["a": "b"], encoding: URLEncoding.queryString
        ).compressed(minimumSize: 0)
        let sent = try await send(query)
        #expect(sent.request.target == "/?a=b")
        #expect(sent.request.value(for: "Content-Encoding") == nil)
    }

    @Test func `a higher compression level makes the body smaller`() async throws {
        let data = content(200_000)
        var sizes: [Int] = []
        for level in [CompressionLevel.fastest, .default, .best] {
            let sent = try await send(RequestTask.requestData(data).compressed(level: level))
            sizes.append(sent.request.bodyLength)
        }
        #expect(sizes[0] > sizes[1] && sizes[1] >= sizes[2])
        #expect(CompressionLevel(rawValue: 99) == .best)
        #expect(CompressionLevel(rawValue: -1) == .fastest)
    }

    @Test func `compressed tasks are equal if their contents and codings are`() {
        func endpoint(_ task: RequestTask) -> Endpoint {
            Endpoint(
                url: "http://a.test", sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .post, task: task, httpHeaderFields: nil)
        }
        let data = RequestTask.requestData(Data("a".utf8))
        #expect(endpoint(data.compressed()) == endpoint(data.compressed()))
        #expect(endpoint(data.compressed()).hashValue == endpoint(data.compressed()).hashValue)
        #expect(endpoint(data.compressed()) != endpoint(data))
        #expect(endpoint(data.compressed()) != endpoint(data.compressed(.deflate)))
        #expect(
            endpoint(RequestTask.requestJSONEncodable(["a"]).compressed())
                == endpoint(RequestTask.requestJSONEncodable(["a"]).compressed()))
        #expect(
            endpoint(RequestTask.requestJSONEncodable(["a"]).compressed())
                != endpoint(RequestTask.requestJSONEncodable(["b"]).compressed()))
        let (one, other) = (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b"))
        #expect(
            endpoint(RequestTask.uploadFile(one).compressed())
                != endpoint(RequestTask.uploadFile(other).compressed()))
    }

    @Test func `a compressed task fails with the same error as its uncompressed body`() async {
        let provider = MoyaProvider<Transfer>(transport: StubTransport { try .stub(for: $0) })
        func error(_ task: RequestTask) async -> MoyaError? {
            let target = Transfer(
                baseURL: URL(string: "http://a.test") ?? URL(fileURLWithPath: "/"), path: "/",
                method: .post, task: task.compressed())
            return await #expect(throws: MoyaError.self) { try await provider.request(target) }
        }
        guard case .encodableMapping = await error(.requestJSONEncodable(Double.nan)) else {
            Issue.record("no mapping error")
            return
        }
        let missing = await error(.uploadFile(URL(fileURLWithPath: "/nowhere")))
        #expect(missing?.underlyingError is FileTransferError)
    }

    @Test func `a compressed value is encoded by the provider's coders`() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Value: Encodable { var aName = "a" }
        let tasks = [
            RequestTask.requestJSONEncodable(Value()), .requestEncodable(Value()),
        ]
        for task in tasks {
            let transport = StubTransport { try .stub(for: $0) }
            let provider = MoyaProvider<Transfer>(
                transport: transport, coders: Coders(encoder: encoder))
            _ = try await provider.request(
                Transfer(
                    baseURL: URL(string: "http://a.test") ?? URL(fileURLWithPath: "/"), path: "/",
                    method: .post, task: task.compressed().compressed(minimumSize: 100)))
            let request = try #require(transport.requests.first)
            #expect(request.urlRequest.value(forHTTPHeaderField: "Content-Encoding") == nil)
            guard case .data(let sent) = request.body else {
                Issue.record("Sent \(request.body).")
                return
            }
            #expect(sent == Data(#"{"a_name":"a"}"#.utf8))
        }
    }

    @Test func `a compressed body is replayable if its source is`() throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "POST"
        func body(_ provider: MultipartFormData.FormDataProvider) throws -> RequestBody {
            request.setValue(nil, forHTTPHeaderField: "Content-Encoding")
            let form: MultipartFormData = [MultipartFormBodyPart(provider: provider, name: "n")]
            return try CompressedUpload(.upload(MultipartUpload(form)), minimumSize: 0)
                .makeBody(for: &request)
        }
        #expect(try body(.data(content(10))).isReplayable)
        #expect(try !body(.stream(InputStream(data: content(10)), 10)).isReplayable)
    }
}

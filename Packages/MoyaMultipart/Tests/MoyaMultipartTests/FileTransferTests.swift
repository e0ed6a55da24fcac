import Foundation
import MoyaCore
import MoyaInternals
import MoyaMultipart
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Target on a server with the API of httpbin.
struct Transfer: TargetType {
    var baseURL: URL
    var path: String
    var method = MoyaCore.Method.get
    var task: RequestTask
    var validationType = ValidationType.none
    var sampleData = Data("sample".utf8)
    var headers: [String: String]? { nil }
}

/// Returns bytes whose value is the low byte of their index.
func pattern(_ count: Int) -> Data {
    var data = Data(0...255)
    while data.count < count { data += data }
    return data.prefix(count)
}

@Suite struct FileTaskTests {
    @Test(arguments: [
        RequestTask.uploadFile(URL(fileURLWithPath: "/file")),
        .downloadDestination { temporary, _ in (temporary, []) },
    ])
    func `a task of a file leaves the endpoint's request unchanged`(task: RequestTask) throws {
        let endpoint = Endpoint(
            url: "http://a.test/x", sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .put, task: task, httpHeaderFields: ["A": "b"])
        let request = try endpoint.urlRequest()
        #expect(request.url?.absoluteString == "http://a.test/x")
        #expect(request.httpMethod == "PUT")
        #expect(request.allHTTPHeaderFields == ["A": "b"])
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream == nil)
    }
}

@Suite struct FileUploadTests {
    @Test(arguments: Carrier.allCases, [0, 1, 3_000_001])
    func `a file is uploaded byte for byte`(carrier: Carrier, size: Int) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("upload", pattern(size))
        let server = try MockServer { request in
            .text(
                request.body == pattern(request.bodyLength) ? "same \(request.bodyLength)" : "other"
            )
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport)
        var last: ProgressResponse?
        let target = Transfer(
            baseURL: server.url, path: "/put", method: .put, task: .uploadFile(file))
        for try await progress in provider.progress(of: target) { last = progress }
        #expect(try last?.response?.mapString() == "same \(size)")
        #expect(last?.progress == 1)
    }

    @Test(arguments: ["missing", "."])
    func `uploading a missing file or a folder fails before any request`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent(name)
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Transfer>(transport: transport)
        let target = Transfer(baseURL: folder.url, path: "/", method: .put, task: .uploadFile(file))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        let cause = error?.underlyingError as? FileTransferError
        #expect(cause?.description.contains(folder.url.lastPathComponent) == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func `uploading a URL other than a file URL is an error`() {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        let upload = FileUpload(
            file: URL(string: "http://a.test/file") ?? URL(fileURLWithPath: "/"))
        #expect(throws: FileTransferError.self) { try upload.makeBody(for: &request) }
    }

    @Test func `a stubbed upload of a missing file is an error`() async {
        let provider = MoyaProvider<Transfer>(
            stubClosure: MoyaProvider.immediatelyStub,
            transport: StubTransport { try .stub(for: $0) })
        let target = Transfer(
            baseURL: URL(fileURLWithPath: "/"), path: "",
            task: .uploadFile(URL(fileURLWithPath: "/nowhere")))
        await #expect(throws: MoyaError.self) { try await provider.request(target) }
    }

    @Test func `file uploads are equal if their files are`() {
        let (one, other) = (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b"))
        func endpoint(_ file: URL) -> Endpoint {
            Endpoint(
                url: "http://a.test", sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .put,
                task: .uploadFile(file), httpHeaderFields: nil)
        }
        #expect(endpoint(one) == endpoint(one))
        #expect(endpoint(one) != endpoint(other))
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Code as written for the releases 15.0 of Moya, where a MultipartFormData is a part.

private enum Album {
    case add(picture: Data, caption: String)
    case addFile(URL, tags: [String: String])
}

extension Album: TargetType {
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "pictures" }
    var method: Moya.Method { .post }
    var headers: [String: String]? { nil }

    @available(*, deprecated)
    var task: RequestTask {
        switch self {
        case let .add(picture, caption):
            let pictureData = MultipartFormData(
                provider: .data(picture), name: "picture", fileName: "cat.png",
                mimeType: "image/png")
            let captionData = MultipartFormData(
                provider: .data(Data(caption.utf8)), name: "caption")
            let parts = [pictureData, captionData]
            return .uploadMultipart(parts)
        case let .addFile(file, tags):
            return .uploadCompositeMultipart(
                [MultipartFormData(provider: .file(file), name: "picture")], urlParameters: tags)
        }
    }
}

/// Deprecated declarations, called through a protocol to avoid warnings.
private protocol Spellings {
    static var literals: [RequestTask] { get }
    static func upload(_ forms: [MultipartFormData]) -> RequestTask
    static var form: MultipartFormData { get }
    static func properties(of form: MultipartFormData) -> MultipartFormBodyPart
    static var destination: DownloadDestination { get }
    static var names: [(Any.Type, Any.Type)] { get }
    static var session: Session { get }
}

private enum Deprecated: Spellings {
    /// The same task in each available spelling.
    @available(*, deprecated)
    static var literals: [RequestTask] {
        let data = MultipartFormData.FormDataProvider.data(Data("1".utf8))
        return [
            .uploadMultipart([MultipartFormData(provider: data, name: "a")]),
            .uploadMultipart([MultipartFormBodyPart(provider: data, name: "a")]),
            .uploadMultipart([.init(provider: data, name: "a")]),
            .uploadMultipart([.init(provider: data, name: "a", headers: [])]),
            .uploadMultipart([[MultipartFormBodyPart(provider: data, name: "a")]]),
            .uploadMultipart([[.init(provider: data, name: "a")]]),
            .uploadMultipart([] + [Moya.MultipartFormData(provider: data, name: "a")]),
            .uploadMultipartFormData([.init(provider: data, name: "a")]),
            .uploadMultipartFormData(.init(provider: data, name: "a")),
            .uploadCompositeMultipart(
                [MultipartFormData(provider: data, name: "a")], urlParameters: [:]),
            .uploadCompositeMultipart(
                [MultipartFormBodyPart(provider: data, name: "a")], urlParameters: [:]),
            .uploadCompositeMultipart([.init(provider: data, name: "a")], urlParameters: [:]),
            .uploadMultipart([]), .uploadCompositeMultipart([], urlParameters: [:]),
        ]
    }

    @available(*, deprecated)
    static func upload(_ forms: [MultipartFormData]) -> RequestTask { .uploadMultipart(forms) }

    @available(*, deprecated)
    static var form: RequestMultipartFormData {
        MultipartFormData(
            provider: .data(Data()), name: "MyName", fileName: "a.txt", mimeType: "text/plain")
    }

    @available(*, deprecated)
    static func properties(of form: MultipartFormData) -> MultipartFormBodyPart {
        .init(
            provider: form.provider, name: form.name, fileName: form.fileName,
            mimeType: form.mimeType)
    }

    @available(*, deprecated)
    static var destination: DownloadDestination {
        let options: DownloadRequest.Options = [.removePreviousFile]
        let destination: DownloadRequest.Destination =
            DownloadRequest.suggestedDownloadDestination(
                for: .cachesDirectory, in: .userDomainMask, options: options)
        return destination
    }

    @available(*, deprecated)
    static var names: [(Any.Type, Any.Type)] {
        [
            (Moya.DownloadRequest.self, MoyaMultipart.DownloadRequest.self),
            (Moya.RequestMultipartFormData.self, MultipartFormData.self),
        ]
    }

    @available(*, deprecated)
    static var session: Session { MoyaProvider<Album>.defaultAlamofireSession() }
}

@Suite struct Moya15SpellingTests {
    private let spellings: any Spellings.Type = Deprecated.self

    private func parts(of task: RequestTask) throws -> [MultipartFormBodyPart] {
        guard case .upload(let body) = task.body else { return [] }
        return try #require(body as? MultipartUpload).form.parts
    }

    @Test func `parts in Moya 15's spelling arrive as one form`() async throws {
        let received = Locked<Result<[MultipartPart], any Error>?>(nil)
        let server = try MockServer { request in
            received.withLock { $0 = Result { try readForm(request) } }
            return .text("")
        }
        defer { server.stop() }
        let provider = MoyaProvider<Album>(
            endpointClosure: { target in
                Endpoint(
                    url: server.url.absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: target.method,
                    task: MoyaProvider.defaultEndpointMapping(for: target).task,
                    httpHeaderFields: nil)
            }, transport: CurlTransport())
        _ = try await provider.request(.add(picture: Data("PNG".utf8), caption: "A cat"))
        let found = try #require(try received.withLock { $0 }?.get())
        #expect(found.map(\.header.name) == ["picture", "caption"])
        #expect(found.map(\.header.fileName) == ["cat.png", nil])
        #expect(found.map(\.header.contentType) == ["image/png", nil])
        #expect(found.map(\.body) == [Data("PNG".utf8), Data("A cat".utf8)])

        let folder = try TemporaryFolder()
        let file = try folder.file("dog.gif", Data("GIF".utf8))
        _ = try await provider.request(.addFile(file, tags: ["tag": "dog"]))
        let single = try #require(try received.withLock { $0 }?.get())
        #expect(single.map(\.header.fileName) == ["dog.gif"])
        #expect(single.map(\.body) == [Data("GIF".utf8)])
        #expect(server.requests.last?.queryItems == [URLQueryItem(name: "tag", value: "dog")])
    }

    @Test func `all spellings of parts make equal forms`() throws {
        let literals = spellings.literals
        for task in literals.dropLast(2) {
            #expect(try parts(of: task) == [text("1", name: "a")])
        }
        for task in literals.suffix(2) { #expect(try parts(of: task).isEmpty) }
    }

    @Test func `a form of one part has the part's properties`() {
        let form = spellings.form
        #expect(spellings.properties(of: form) == form.parts[0])
        let several: MultipartFormData = [text("1", name: "a"), text("2", name: "b")]
        #expect(
            spellings.properties(of: several)
                == MultipartFormBodyPart(provider: .mixed(several), name: ""))
    }

    @Test func `joined forms keep all parts and the first form's boundary`()
        throws
    {
        let first = MultipartFormData(
            boundary: "b", parts: [text("1", name: "a"), text("2", name: "b")])
        guard case .upload(let body) = spellings.upload([first, spellings.form]).body else {
            Issue.record("no upload")
            return
        }
        let form = try #require(body as? MultipartUpload).form
        #expect(form.parts == first.parts + spellings.form.parts)
        #expect(form.boundary == "b")
    }

    @Test func `DownloadRequest suggests destinations as Alamofire's DownloadRequest does`() throws
    {
        let url = try #require(URL(string: "http://a.test/report.pdf"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let (file, options) = spellings.destination(URL(fileURLWithPath: "/tmp/x"), response)
        #expect(file.lastPathComponent == "report.pdf")
        #expect(options == [.removePreviousFile])
    }

    @Test func `every Moya 15 name is available with the Moya prefix`() {
        for (prefixed, plain) in spellings.names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }

    @Test func `the default session is available by its Moya 15 name`() {
        let session = spellings.session
        #expect(session.sessionConfiguration.headers["User-Agent"]?.isEmpty == false)
    }
}

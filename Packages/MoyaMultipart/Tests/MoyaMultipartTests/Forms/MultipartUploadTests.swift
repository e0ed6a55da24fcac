import Foundation
import MoyaCore
import MoyaTesting
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Four ways to create a task that uploads a form.
enum FormTask: String, CaseIterable, Sendable {
    case multipart, formData, compositeMultipart, compositeFormData

    var isComposite: Bool { self == .compositeMultipart || self == .compositeFormData }

    func task(_ parts: [MultipartFormBodyPart], urlParameters: Parameters = [:]) -> RequestTask {
        switch self {
        case .multipart: OldSpellings.upload(parts)
        case .formData: .uploadMultipartFormData(MultipartFormData(parts: parts))
        case .compositeMultipart: OldSpellings.uploadComposite(parts, urlParameters)
        case .compositeFormData:
            .uploadCompositeMultipartFormData(
                MultipartFormData(parts: parts), urlParameters: urlParameters)
        }
    }
}

/// Calls deprecated declarations through a protocol to avoid warnings.
private protocol Spellings {
    static func upload(_ parts: [MultipartFormBodyPart]) -> RequestTask
    static func uploadComposite(_ parts: [MultipartFormBodyPart], _ parameters: Parameters)
        -> RequestTask
}

private enum OldSpellings {
    private static var spellings: any Spellings.Type { Deprecated.self }

    static func upload(_ parts: [MultipartFormBodyPart]) -> RequestTask { spellings.upload(parts) }

    static func uploadComposite(
        _ parts: [MultipartFormBodyPart], _ parameters: Parameters
    ) -> RequestTask { spellings.uploadComposite(parts, parameters) }

    private enum Deprecated: Spellings {
        @available(*, deprecated)
        static func upload(_ parts: [MultipartFormBodyPart]) -> RequestTask {
            .uploadMultipart(parts)
        }

        @available(*, deprecated)
        static func uploadComposite(
            _ parts: [MultipartFormBodyPart], _ parameters: Parameters
        ) -> RequestTask {
            .uploadCompositeMultipart(parts, urlParameters: parameters)
        }
    }
}

@Suite struct MultipartTaskTests {
    private func endpoint(_ task: RequestTask, headers: [String: String]? = nil) -> Endpoint {
        Endpoint(
            url: "http://a.test/x", sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post, task: task, httpHeaderFields: headers)
    }

    @Test(arguments: FormTask.allCases)
    func `a form task leaves the endpoint's request unchanged`(kind: FormTask) throws {
        let request = try endpoint(kind.task([]), headers: ["A": "b"]).urlRequest()
        #expect(request.url?.absoluteString == "http://a.test/x")
        #expect(request.httpMethod == "POST")
        #expect(request.allHTTPHeaderFields == ["A": "b"])
        #expect(request.httpBody == nil)
    }

    @Test(arguments: FormTask.allCases.filter(\.isComposite))
    func `a composite form has its parameters in the query`(kind: FormTask) throws {
        let task = kind.task([], urlParameters: ["Harvey": "Nemesis"])
        #expect(
            try endpoint(task).urlRequest().url?.absoluteString == "http://a.test/x?Harvey=Nemesis")
    }

    @Test(arguments: FormTask.allCases)
    func `endpoints are equal if their forms and parameters are`(kind: FormTask) {
        let part = text("test", name: "test")
        #expect(endpoint(kind.task([part])) == endpoint(kind.task([part])))
        #expect(endpoint(kind.task([part])) != endpoint(kind.task([text("test1", name: "test")])))
        if kind.isComposite {
            #expect(
                endpoint(kind.task([part], urlParameters: ["test": "test2"]))
                    != endpoint(kind.task([part], urlParameters: ["test": "test3"])))
        }
    }

    @Test func `a form sets the content type with its boundary`() throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "POST"
        request.setValue("multipart/form-data", forHTTPHeaderField: "content-type")
        let form = MultipartFormData(boundary: "b", parts: [text("1", name: "a")])
        let body = try MultipartUpload(form).makeBody(for: &request)
        #expect(
            request.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=b")
        #expect(body.isReplayable)
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .options, .trace])
    func `a method that cannot carry a form is an error`(method: HTTPMethod) {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = method.rawValue
        #expect(throws: MultipartFormError.method(method.rawValue)) {
            try MultipartUpload([text("1", name: "a")]).makeBody(for: &request)
        }
    }

    @Test func `an invalid form is an error before any request`() async {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Transfer>(transport: transport)
        let missing = MultipartFormBodyPart(
            provider: .file(URL(fileURLWithPath: "/nowhere")), name: "f")
        for (parts, cause) in [
            ([], "The multipart form has no parts. Add at least one."),
            ([missing], "There is no file at /nowhere."),
        ] {
            let target = Transfer(
                baseURL: URL(string: "http://a.test") ?? URL(fileURLWithPath: "/"), path: "/",
                method: .post, task: FormTask.formData.task(parts))
            let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
            #expect(error?.underlyingError?.localizedDescription == cause)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `an endpoint closure can add parts to a form`() async throws {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Transfer>(
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                guard case .upload(let body) = endpoint.task.body,
                    let form = (body as? MultipartUpload)?.form
                else { return endpoint }
                return endpoint.replacing(
                    task: .uploadMultipartFormData(
                        MultipartFormData(parts: form.parts + [text("2", name: "added")])))
            }, transport: transport)
        _ = try await provider.request(
            Transfer(
                baseURL: try #require(URL(string: "http://a.test")), path: "/", method: .post,
                task: FormTask.formData.task([text("1", name: "first")])))
        guard case .stream(let stream) = transport.requests.first?.body else {
            Issue.record("no stream")
            return
        }
        var sent = Data()
        for try await chunk in try stream.makeChunks() { sent += chunk }
        let seen = String(decoding: sent, as: UTF8.self)
        #expect(seen.contains("name=\"first\"") && seen.contains("name=\"added\""))
    }
}

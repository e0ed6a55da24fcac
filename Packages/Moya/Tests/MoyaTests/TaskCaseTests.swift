import Moya
import Testing

// Code of Moya that distinguishes tasks, with `import Moya` alone.

private struct Order: Encodable { let id = 7 }

private struct Request: TargetType {
    let task: Task
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: Moya.Method { .post }
    var headers: [String: String]? { nil }
}

extension Task {
    /// The parameters, as code of Moya finds them.
    fileprivate var parameters: [String: Any]? {
        switch self {
        case .requestParameters(let parameters, _): return parameters
        case .requestCompositeData(_, urlParameters: let parameters): return parameters
        case .requestCompositeParameters(let body, _, let url): return body.merging(url) { $1 }
        case .uploadCompositeMultipart(_, let parameters),
            .uploadCompositeMultipartFormData(_, let parameters):
            return parameters
        case let .downloadParameters(parameters, _, _): return parameters
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable,
            .uploadFile, .uploadMultipart, .uploadMultipartFormData, .downloadDestination, .custom:
            return nil
        }
    }
}

/// Deprecated declarations, called through a protocol to avoid warnings.
private protocol TaskListing {
    static var tasks: [(Task, String, [String])] { get }
}

private enum TaskList: TaskListing {
    static let file = URL(fileURLWithPath: "/photo.png")
    private static let form: MultipartFormData = [
        MultipartFormBodyPart(provider: .data(Data("secret".utf8)), name: "photo")
    ]
    private static let destination: DownloadDestination = { url, _ in (url, []) }

    /// Each case with its name and the names of its parameters. The names are Moya 15's.
    @available(*, deprecated)
    static var tasks: [(Task, String, [String])] {
        [
            (.requestPlain, "requestPlain", []),
            (.requestData(Data("secret".utf8)), "requestData", []),
            (.requestJSONEncodable(Order()), "requestJSONEncodable", []),
            (
                .requestCustomJSONEncodable(Order(), encoder: JSONEncoder()),
                "requestCustomJSONEncodable", []
            ),
            (
                .requestParameters(parameters: ["a": "secret"], encoding: URLEncoding.default),
                "requestParameters", ["a"]
            ),
            (
                .requestCompositeData(bodyData: Data(), urlParameters: ["a": "secret"]),
                "requestCompositeData", ["a"]
            ),
            (
                .requestCompositeParameters(
                    bodyParameters: ["a": "secret"], bodyEncoding: JSONEncoding.default,
                    urlParameters: ["b": "secret"]), "requestCompositeParameters", ["a", "b"]
            ),
            (.uploadFile(file), "uploadFile", []),
            (.uploadMultipart([form]), "uploadMultipart", []),
            (.uploadMultipartFormData(form), "uploadMultipartFormData", []),
            (
                .uploadCompositeMultipart([form], urlParameters: ["a": "secret"]),
                "uploadCompositeMultipart", ["a"]
            ),
            (
                .uploadCompositeMultipartFormData(form, urlParameters: ["a": "secret"]),
                "uploadCompositeMultipartFormData", ["a"]
            ),
            (.downloadDestination(destination), "downloadDestination", []),
            (
                .downloadParameters(
                    parameters: ["a": "secret"], encoding: URLEncoding.default,
                    destination: destination), "downloadParameters", ["a"]
            ),
            (.requestPlain.redirecting(.refuse), "custom", []),
        ]
    }
}

@Suite struct TaskCaseTests {
    private let tasks = (TaskList.self as any TaskListing.Type).tasks

    @Test func `the description of a task begins with the name of its case and shows no value`() {
        for (task, name, _) in tasks {
            let text = String(describing: task)
            #expect(text == name || text.hasPrefix("\(name)("), "\(text)")
            #expect(!text.contains("secret") && !String(reflecting: task).contains("secret"))
        }
    }

    @Test func `a switch over a target's task finds the case and its parameters, as in Moya`() {
        for (task, name, parameters) in tasks {
            let found = Request(task: task).task.parameters?.keys.sorted() ?? []
            #expect(found == parameters, "\(name)")
        }
    }

    @Test func `a plugin reads the parameters and the encoding of any target's task`() throws {
        let target: any TargetType = Request(
            task: .requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default))
        guard
            case .requestParameters(parameters: let parameters, encoding: let encoding) =
                MultiTarget(target).task
        else {
            Issue.record("\(target.task)")
            return
        }
        #expect(parameters["a"] as? Int == 1)
        #expect(encoding is JSONEncoding)
    }

    @Test func `the payload of an upload's case is its file or its form`() {
        for (task, name, _) in tasks {
            switch task {
            case .uploadFile(let upload):
                #expect((upload as? FileUpload)?.file == TaskList.file)
            case .uploadMultipart(let upload), .uploadMultipartFormData(let upload),
                .uploadCompositeMultipart(let upload, _),
                .uploadCompositeMultipartFormData(let upload, _):
                let parts = (upload as? MultipartUpload)?.form.parts
                #expect(parts?.map(\.name) == ["photo"], "\(name)")
            default: break
            }
        }
    }

    /// A body of another module.
    private struct Note: UploadBody {
        func makeBody(for request: inout URLRequest) throws -> RequestBody {
            .data(Data("note".utf8))
        }
    }

    @Test func `a task of another module is a custom task with its parts`() {
        var task = Task(body: .upload(Note()))
        guard case .custom(let components) = task, case .upload(let body) = components.body else {
            Issue.record("\(task)")
            return
        }
        #expect(body is Note)
        task.body = .none
        #expect(String(describing: task) == "custom")
    }

    @Test func `a task whose parts are changed keeps its other parts`() {
        let task = Task.requestCompositeParameters(
            bodyParameters: ["a": 1], bodyEncoding: JSONEncoding.default, urlParameters: ["b": 2])
        let changed = task.redirecting(.refuse).addingQuery(["c": 3])
        guard case .parameters(let body, _) = changed.body,
            case .several(let queries) = changed.query
        else {
            Issue.record("\(changed)")
            return
        }
        #expect(body.keys.sorted() == ["a"] && queries.count == 2)
        #expect(changed.redirectPolicy.isRefusal)
    }
}

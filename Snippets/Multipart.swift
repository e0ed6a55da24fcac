// Uploads multipart forms, reads multipart responses, and compresses request bodies.
import Foundation
import MoyaCore
import MoyaMultipart

enum Gallery: TargetType {
    case upload(picture: URL, title: String)
    case record(AsyncStream<Data>)
    case importAll([String])
    case changes

    var baseURL: URL { URL(string: "https://gallery.example") ?? URL(fileURLWithPath: "/") }
    var path: String { "/pictures" }
    var method: MoyaCore.Method {
        if case .changes = self { .get } else { .post }
    }
    var headers: [String: String]? { nil }
    var task: RequestTask {
        switch self {
        case .upload(let picture, let title):
            .uploadMultipartFormData([
                MultipartFormBodyPart(provider: .data(Data(title.utf8)), name: "title"),
                MultipartFormBodyPart(provider: .file(picture), name: "picture"),
            ])
        case .record(let samples):
            .uploadMultipartFormData([
                MultipartFormBodyPart(
                    provider: .sequence(.init(once: samples)), name: "recording",
                    fileName: "recording.wav", mimeType: "audio/wav")
            ])
        case .importAll(let names):
            .requestJSONEncodable(names).compressed(.gzip, level: .best, minimumSize: 10_000)
        case .changes:
            .requestPlain
        }
    }
}

func printChanges(_ provider: MoyaProvider<Gallery>) async throws {
    for try await event in try await provider.stream(.changes).multipart() {
        switch event {
        case .part(let header): print(header.fileName ?? "a picture")
        case .data(let chunk): print(chunk.count)
        case .end: print("whole")
        }
    }
}

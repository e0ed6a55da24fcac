import Foundation
import MoyaCore
import MoyaMacros
import MoyaTransportCurl
import MoyaTransportFoundation

/// Sends each request of ``EchoAPI`` over each transport and prints the responses.
///
/// The argument is the server's URL.
@main
struct Main {
    static func main() async throws {
        guard let server = CommandLine.arguments.dropFirst().first else { return }
        try await talk(to: server, over: CurlTransport())
        try await talk(to: server, over: FoundationTransport())
    }

    private static func talk(to server: String, over transport: any Transport) async throws {
        let provider = MoyaProvider<EchoAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: server + target.path.dropFirst(),
                    sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: target.method, task: target.task, httpHeaderFields: target.headers)
            }, transport: transport)
        let api = provider.api
        print(try await api.greeting())
        print(try await api.add(folder: "a/b", note: Note(text: "hello"), trace: 7).text)
        print(try await api.search(q: "a b", tags: ["x"]))
        print(try await provider.request(.remove(id: 1)).statusCode)
        let form = try await api.upload(file: Data("bytes".utf8))
        print(form.contains("bytes"), form.contains("title"))
    }
}

import Foundation
import MoyaCore
import MoyaMockServer
import MoyaStubs
import MoyaTransportCurl
import MoyaTransportFoundation

@main
enum Main {
    static let usage = """
        usage: moya-demo [--base-url URL]

        Sends real requests through both transports and the stub, to a server of its own on 127.0.0.1.
        With --base-url it runs the reading part against that page: it is fetched, and one below it that is missing.
        """

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        switch (arguments.popFirst(), arguments.popFirst(), arguments.isEmpty) {
        case (nil, nil, true): exit(await run(against: nil))
        case ("--base-url", let text?, true):
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? "") else {
                print("moya-demo: \(text) is not the URL of an http or https server.")
                exit(2)
            }
            exit(await run(against: url))
        case ("--help", nil, true): print(usage)
        default:
            print(usage)
            exit(2)
        }
    }

    /// Runs the demo and returns its exit status.
    static func run(against url: URL?) async -> Int32 {
        do {
            let own = url == nil ? try MockServer() : nil
            defer { own?.stop() }
            guard let base = url ?? own?.url else { return 1 }
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("moya-demo-\(ProcessInfo.processInfo.processIdentifier)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }

            let server = Server(url: base, own: own)
            let rows = await rows(for: server, writes: server.isOwn, in: folder)
            print("")
            printTable(rows)
            let failures = rows.filter { $0.problem != nil }.count
            print(failures == 0 ? "\nAll as expected." : "\n\(failures) not as expected.")
            return failures == 0 ? 0 : 1
        } catch {
            print("moya-demo: \(error)")
            return 1
        }
    }

    /// A provider that sends nothing.
    private static func stubbedProvider() -> MoyaProvider<Request> {
        MoyaProvider(
            endpointClosure: { request in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: request)
                return Endpoint(
                    url: endpoint.url, sampleResponseClosure: { request.sampleResponse },
                    method: endpoint.method, task: endpoint.task,
                    httpHeaderFields: endpoint.httpHeaderFields)
            },
            stubClosure: {
                if case .stall = $0.target { .delayed(seconds: 60) } else { .immediate }
            },
            transport: FoundationTransport())
    }

    private static func rows(for server: Server, writes: Bool, in folder: URL) async -> [Row] {
        let transports: [(String, any Transport)] = [
            ("curl", CurlTransport()), ("foundation", FoundationTransport()),
        ]
        var demos = transports.map { name, transport in
            Demo(
                name: name, provider: MoyaProvider(transport: transport), server: server,
                isStubbed: false, folder: folder)
        }
        demos.append(
            Demo(
                name: "stub",
                provider: stubbedProvider(), server: server, isStubbed: true, folder: folder))
        var rows: [Row] = []
        for demo in demos {
            rows += await demo.readingSteps()
            if writes { rows += await demo.writingSteps() }
        }
        return rows
    }
}

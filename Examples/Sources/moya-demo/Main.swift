import Foundation
import MoyaCore
import MoyaLayers
import MoyaMockServer
import MoyaStubs
import MoyaTransportCurl
import MoyaTransportFoundation

@main
enum Main {
    static let terminal = Terminal.standardOutput
    static let usage = """
        usage: moya-demo [--base-url URL]

        Sends real requests to servers of its own on 127.0.0.1: with layers around libcurl, and through both transports and the stub.
        Leaves a HAR file behind.
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
        case (let argument?, _, _):
            print("moya-demo: '\(argument)' is no option, or lacks its URL.\n\n\(usage)")
            exit(2)
        default: exit(2)
        }
    }

    /// Runs the demo and returns the exit status of the process.
    ///
    /// - Parameter url: The user's server. `nil` runs the whole demo against its own servers.
    static func run(against url: URL?) async -> Int32 {
        do {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("moya-demo-\(ProcessInfo.processInfo.processIdentifier)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var isGood = true
            if url == nil { isGood = try await show(in: folder) }
            print(terminal.text("\nThe same requests over each transport\n", .title))
            let own = url == nil ? try MockServer() : nil
            defer { own?.stop() }
            guard let base = url ?? own?.url else { return 1 }
            let rows = await rows(for: Server(url: base, own: own), in: folder)
            print(terminal.table(rows))
            isGood = isGood && rows.allSatisfy(\.isGood)
            print(
                isGood
                    ? terminal.text("\nAll as expected.", .good)
                    : terminal.text("\nNot all as expected: see above.", .bad))
            return isGood ? 0 : 1
        } catch {
            print("moya-demo: " + causes(of: error).joined(separator: "\n    because: "))
            return 1
        }
    }

    /// Shows the layers and checks the requests of an API. Returns whether every step succeeded.
    private static func show(in folder: URL) async throws -> Bool {
        let server = try MockServer.news()
        defer { server.stop() }
        let archive = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-demo.har")
        let recorder = try HARRecorder(to: archive)
        print(terminal.text("What a client does not have to write by hand\n", .title))
        let showcase = Showcase(server: server, folder: folder, recorder: recorder)
        let isGood = await showcase.run { print(terminal.line($0)) }
        try recorder.finish()
        print(terminal.text("\nEvery request of an API, checked\n", .title))
        let report = await NewsRequest.check(at: server.url)
        print(report.table)
        print("Every request above is in \(archive.path), for a browser's developer tools.")
        return isGood && report.problems.isEmpty
    }

    /// A provider that answers with sample responses and sends nothing.
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

    static func rows(for server: Server, in folder: URL) async -> [Row] {
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
            if server.isOwn { rows += await demo.writingSteps() }
        }
        return rows
    }
}

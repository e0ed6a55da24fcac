import Foundation
import MoyaCore
import MoyaMultipart

/// The demo's requests over one transport.
struct Demo {
    let name: String
    let provider: MoyaProvider<Request>
    let server: Server
    /// Whether requests get sample data instead of being sent.
    let isStubbed: Bool
    let folder: URL

    private static let downloadSize = 64 << 20

    func readingSteps() async -> [Row] {
        [
            await step("GET with query", over: name) {
                struct Answer: Decodable { var args: [String: String] }
                let response = try await request(.search("swift"))
                guard server.isOwn else { return Outcome(response) }
                let answer = try response.map(Answer.self)
                try expect(answer.args["q"] == "swift", "the query to come back")
                return Outcome(response)
            },
            await step("404 as an error", over: name) {
                do {
                    _ = try await request(.missing)
                } catch let error as MoyaError {
                    guard error.response?.statusCode == 404 else { throw error }
                    return Outcome("error, status 404")
                }
                throw Unexpected(description: "Expected an error.")
            },
        ]
    }

    func writingSteps() async -> [Row] {
        [
            await step("POST JSON, decoded", over: name) {
                struct Answer: Decodable { var data: String }
                let sent = Person(name: "Ada", age: 36)
                let response = try await request(.create(sent))
                let text = try response.map(Answer.self).data
                let received = try JSONDecoder().decode(Person.self, from: Data(text.utf8))
                try expect(received == sent, "the person to come back")
                return Outcome(response)
            },
            await step("file upload", over: name) {
                struct Answer: Decodable { var bodyLength: Int }
                let file = folder.appendingPathComponent("upload")
                try Data(count: 1 << 20).write(to: file)
                let bar = bar("upload")
                let upload = Request(server: server, target: .upload(file))
                var last: Response?
                for try await progress in provider.progress(of: upload) {
                    bar?.show(progress)
                    last = progress.response
                }
                guard let response = last else { throw URLError(.cancelled) }
                try expect(try response.map(Answer.self).bodyLength == 1 << 20, "1 MiB to arrive")
                var outcome = Outcome(response)
                outcome.byteCount = 1 << 20
                return outcome
            },
            await step("64 MiB download", over: name, download),
            await step("cancelled request", over: name, cancel),
            await step("timeout", over: name, timeOut),
        ]
    }

    private func request(_ target: DemoTarget) async throws -> Response {
        try await provider.request(Request(server: server, target: target))
    }

    private func bar(_ what: String) -> ProgressBar? {
        Terminal.standardOutput.isTerminal
            ? ProgressBar("  \(name) \(what)", to: .standardOutput) : nil
    }

    private func download() async throws -> Outcome {
        let file = folder.appendingPathComponent("download-\(name)")
        let bar = bar("download")
        let target = Request(
            server: server, target: .download(byteCount: Self.downloadSize, to: file))
        var response: Response?
        for try await progress in provider.progress(of: target) {
            bar?.show(progress)
            response = progress.response
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        try expect(size == Self.downloadSize, "the whole file, not \(size ?? 0) bytes")
        guard let response else { throw Unexpected(description: "Expected a response.") }
        var outcome = Outcome(response)
        outcome.byteCount = size ?? 0
        return outcome
    }

    private func cancel() async throws -> Outcome {
        let count = server.own?.requests.count ?? 0
        let task = Task { try await request(.stall) }
        // With a stub, the server receives no request.
        if !isStubbed { _ = try await server.own?.waitForRequests(count + 1) }
        task.cancel()
        return try await expectError(.cancelled, "cancelled") { try await task.value }
    }

    private func timeOut() async throws -> Outcome {
        return try await expectError(.timedOut, "timed out") { try await request(.slow) }
    }

    private func expectError(
        _ code: URLError.Code, _ status: String, from body: () async throws -> Response
    ) async throws -> Outcome {
        do {
            _ = try await body()
        } catch MoyaError.underlying(let error, _) where (error as? URLError)?.code == code {
            return Outcome("error, \(status)")
        }
        throw Unexpected(description: "Expected the request to be \(status).")
    }
}

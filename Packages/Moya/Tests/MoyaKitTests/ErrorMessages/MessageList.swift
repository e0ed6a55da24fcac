#if os(Linux)
    import Foundation
    import MoyaKit

    /// The text of docs/ErrorMessages.txt: sections of errors, each with its message.
    ///
    /// Messages that name the version of libcurl, or contain text of the operating system, are left
    /// out, because they differ between machines.
    final class MessageList {
        private(set) var text = """
            The messages of the library's errors on Linux (localizedDescription), with example
            values. ErrorMessageTests compares this file with the code, and writes it if
            MOYA_UPDATE_ERRORS is 1 in the environment.

            """
        /// Folder for files that messages name. Shown as `/example`.
        let folder: URL

        private init(folder: URL) {
            self.folder = folder
        }

        /// All sections.
        static func make() async throws -> MessageList {
            let list = MessageList(
                folder: FileManager.default.temporaryDirectory
                    .appendingPathComponent("MoyaErrorMessages-\(UUID().uuidString)"))
            try FileManager.default.createDirectory(
                at: list.folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: list.folder) }
            await list.addCoreErrors()
            await list.addTrustErrors()
            try await list.addCurlErrors()
            await list.addFoundationErrors()
            await list.addLayerErrors()
            await list.addTokenErrors()
            try await list.addFormErrors()
            try await list.addTransferErrors()
            await list.addStreamErrors()
            return list
        }

        func section(_ title: String) {
            text += "\n\(title)\n\(String(repeating: "-", count: title.count))\n"
        }

        /// Adds the message of an error.
        func add(_ name: String, _ error: any Error) {
            text += "\n\(name)\n    \(shown(error.localizedDescription))\n"
            if let advice = (error as NSError).localizedRecoverySuggestion {
                text += "    (suggestion) \(shown(advice))\n"
            }
        }

        /// Adds the message of the error that `body` throws.
        func add(_ name: String, _ body: () async throws -> Void) async {
            do {
                try await body()
                text += "\n\(name)\n    no error\n"
            } catch {
                add(name, error)
            }
        }

        private func shown(_ message: String) -> String {
            message.replacingOccurrences(of: folder.path, with: "/example")
                .replacingOccurrences(
                    of: "[0-9A-F]{8}-[0-9A-F-]{27}", with: "UUID", options: .regularExpression
                )
                .replacingOccurrences(of: "\n", with: "\n    ")
        }
    }

    /// A target whose parts an example sets.
    struct ExampleTarget: TargetType {
        var baseURL = URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/")
        var path = "/users"
        var method = Moya.Method.get
        var task = Moya.Task.requestPlain
        var headers: [String: String]?
        var cachePolicy: URLRequest.CachePolicy?
        var validationType = ValidationType.none
    }

    /// A transport that reads the request's body, and returns a response of this status, header
    /// fields and body.
    struct ExampleTransport: Transport {
        var statusCode = 200
        var fields: [HeaderField] = []
        var body = Data()

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try request.validate()
            if let stream = try request.body.makeStream() {
                for try await _ in try stream.makeChunks() {}
            }
            let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
            var sink = try await ResponseBodySink(request)
            try await sink.write(body)
            return TransportResponse(
                head: ResponseHead(statusCode: statusCode, url: url, fields: fields),
                body: try await sink.finish())
        }
    }

    /// Sends a request for `target` over `transport`.
    func send(
        _ target: ExampleTarget, over transport: any Transport = ExampleTransport()
    ) async throws {
        _ = try await MoyaProvider<ExampleTarget>(transport: transport).request(target)
    }

    /// A clock that stands still. A sleep returns at once.
    struct ExampleClock: MoyaClock {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let uptime: TimeInterval = 1_000

        func sleep(for seconds: TimeInterval) async throws { try Task.checkCancellation() }
    }
#endif

import Foundation
import MoyaCore
import MoyaInternals
import MoyaPlugins
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct NetworkActivityPluginTests {
    private func changes(
        _ provider: (any PluginType) -> MoyaProvider<Thing>
    ) async -> [NetworkActivityChangeType] {
        let log = Locked<[NetworkActivityChangeType]>([])
        let plugin = NetworkActivityPlugin { change, _ in log.withLock { $0.append(change) } }
        _ = try? await provider(plugin).request(Thing())
        return log.withLock { $0 }
    }

    @Test func `NetworkActivityPlugin reports the beginning and the end of a request`() async {
        let changes = await changes { plugin in
            MoyaProvider(transport: StubTransport { try .stub(for: $0) }, plugins: [plugin])
        }
        #expect(changes == [.began, .ended])
    }

    @Test func `NetworkActivityPlugin reports the end of a failed request`() async {
        let changes = await changes { plugin in
            MoyaProvider(
                transport: StubTransport { _ in throw URLError(.timedOut) }, plugins: [plugin])
        }
        #expect(changes == [.began, .ended])
    }

    @Test func `NetworkActivityPlugin reports the beginning and the end of a stub`() async {
        let changes = await changes { plugin in
            MoyaProvider(
                stubClosure: MoyaProvider.immediatelyStub,
                transport: StubTransport { try .stub(for: $0) },
                plugins: [plugin])
        }
        #expect(changes == [.began, .ended])
    }

    @Test func `NetworkActivityPlugin reports nothing for a request that cannot be made`() async {
        let changes = await changes { plugin in
            MoyaProvider(
                requestClosure: { _, done in done(.failure(.requestMapping(""))) },
                transport: StubTransport { try .stub(for: $0) }, plugins: [plugin])
        }
        #expect(changes.isEmpty)
    }
}

@Suite struct NetworkLoggerPluginTests {
    typealias Configuration = NetworkLoggerPlugin.Configuration

    /// Returns the log of one request, one `identifier: message` per line.
    private func log(
        _ options: Configuration.LogOptions, target: Thing = Thing(),
        redaction: Redaction = .default,
        answer: @escaping StubTransport.Handler = { request in
            try .stub(
                headers: [
                    HeaderField(name: "Set-Cookie", value: "s=1"),
                    HeaderField(name: "X-A", value: "1"),
                ],
                data: Data("body".utf8), for: request)
        }
    ) async -> [String] {
        let lines = Locked<[String]>([])
        let plugin = NetworkLoggerPlugin(
            configuration: Configuration(
                formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
                output: { _, items in lines.withLock { $0 += items } }, logOptions: options,
                redaction: redaction))
        let provider = MoyaProvider<Thing>(transport: StubTransport(answer), plugins: [plugin])
        _ = try? await provider.request(target)
        return lines.withLock { $0 }
    }

    private let response =
        "Response: { URL: https://api.example.test/thing } { Status Code: 200, Headers { "
        + #""Set-Cookie" = "***"; "X-A" = "1"; } }"#

    @Test func `NetworkLoggerPlugin with verbose options logs all parts with secrets masked`() async
    {
        let target = Thing(
            headers: ["Authorization": "Bearer abc", "Accept": "text/plain"],
            task: .requestData(Data("sent".utf8)))
        #expect(
            await log(.verbose, target: target) == [
                "Request: https://api.example.test/thing",
                #"Request Headers: ["Accept": "text/plain", "Authorization": "***"]"#,
                "Request Body: sent",
                "HTTP Request Method: GET", response, "Response Body: body",
            ])
    }

    @Test func `NetworkLoggerPlugin logs method and header fields by default`() async {
        #expect(
            await log(.default) == [
                "Request: https://api.example.test/thing", "Request Headers: [:]",
                "HTTP Request Method: GET",
                response,
            ])
    }

    static let options: [(Configuration.LogOptions, String)] = [
        ([], ""), (.requestMethod, "HTTP Request Method: GET"),
        (.requestBody, "Request Body: sent"),
        (.requestHeaders, #"Request Headers: ["A": "b"]"#),
        (.successResponseBody, "Response Body: body"),
        (.errorResponseBody, ""),
    ]

    @Test(arguments: options)
    func `NetworkLoggerPlugin logs only the parts in its logOptions`(
        options: Configuration.LogOptions, line: String
    ) async {
        let target = Thing(headers: ["A": "b"], task: .requestData(Data("sent".utf8)))
        let always = ["Request: https://api.example.test/thing", response]
        let lines = await log(options, target: target)
        #expect(Set(lines) == Set(always + (line.isEmpty ? [] : [line])))
    }

    @Test func `NetworkLoggerPlugin masks secrets in bodies and in curl commands`() async {
        let form = Thing(task: .requestData(Data("user=ash&password=opensesame".utf8)))
        let answer: StubTransport.Handler = { request in
            try .stub(
                headers: [HeaderField(name: "Location", value: "/done?code=opensesame")],
                data: Data(#"{"access_token":"opensesame","expires_in":60}"#.utf8), for: request)
        }
        let lines = await log(.verbose, target: form, answer: answer)
        #expect(lines.contains("Request Body: user=ash&password=***"))
        #expect(lines.contains(#"Response Body: {"access_token":"***","expires_in":60}"#))
        #expect(lines.contains { $0.contains(#""Location" = "/done?code=***";"#) })
        let command = await log(.formatRequestAscURL, target: form, answer: answer)
        #expect(command.first?.hasSuffix("--data-raw 'user=ash&password=***'") == true)
        let shown = await log(.verbose, target: form, redaction: .none, answer: answer)
        #expect(shown.filter { $0.contains("opensesame") }.count == 3)
    }

    @Test func `NetworkLoggerPlugin logs a curl command in place of the request parts`() async {
        let lines = await log([.formatRequestAscURL, .requestHeaders, .requestMethod])
        #expect(lines.count == 2)
        #expect(
            lines.first
                == "Request: $ curl -v \\\n\t'https://api.example.test/thing' \\\n\t-X 'GET'")
    }

    @Test func `NetworkLoggerPlugin without redaction logs secrets`() async {
        let target = Thing(headers: ["Authorization": "Bearer abc"])
        let lines = await log(.default, target: target, redaction: .none)
        #expect(lines.contains(#"Request Headers: ["Authorization": "Bearer abc"]"#))
        #expect(lines.contains { $0.contains(#""Set-Cookie" = "s=1";"#) })
    }

    @Test(arguments: [
        (Configuration.LogOptions.errorResponseBody, true), (.successResponseBody, false),
    ])
    func `NetworkLoggerPlugin logs the body of a refused response as an error body`(
        options: Configuration.LogOptions, isLogged: Bool
    ) async {
        let target = Thing(validationType: .successCodes)
        let lines = await log(options, target: target) { request in
            try .stub(status: 500, data: Data("why".utf8), for: request)
        }
        #expect(lines.contains("Response Body: why") == isLogged)
        let response =
            "Response: { URL: https://api.example.test/thing } { Status Code: 500, Headers { } }"
        #expect(lines.contains(response))
    }

    @Test func `NetworkLoggerPlugin logs an error without a response`() async {
        let lines = await log([]) { _ in
            throw URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "too late"])
        }
        #expect(lines.last?.hasPrefix("Error: Error calling Thing :") == true)
        #expect(lines.last?.hasSuffix(": too late, nil)") == true)
    }

    /// A request type of another provider implementation.
    private struct Foreign: RequestType {
        var request: URLRequest?
        var sessionHeaders: [String: String] {
            ["Accept-Language": "en-US", "Accept": "text/html"]
        }
        func authenticate(
            username: String, password: String, persistence: URLCredential.Persistence
        ) -> Foreign { self }
        func authenticate(with credential: URLCredential) -> Foreign { self }
        func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Foreign {
            handler("$ curl -i \"https://api.example.test/thing?token=opensesame\"")
            return self
        }
    }

    private func log(
        _ options: Configuration.LogOptions, redaction: Redaction = .default,
        _ event: (NetworkLoggerPlugin) -> Void
    ) -> [String] {
        let lines = Locked<[String]>([])
        var configuration = Configuration(
            output: { _, items in lines.withLock { $0 += items } }, logOptions: options,
            redaction: redaction)
        configuration.formatter.entry = { identifier, message, _ in "\(identifier): \(message)" }
        event(NetworkLoggerPlugin(configuration: configuration))
        return lines.withLock { $0 }
    }

    @Test func `NetworkLoggerPlugin logs and masks the curl command of a custom RequestType`() {
        let request = Foreign(request: URLRequest(url: Thing().baseURL))
        let masked = log(.formatRequestAscURL) { $0.willSend(request, target: Thing()) }
        #expect(masked.count == 1)
        #expect(masked.first?.hasPrefix("Request: $ curl -i \"https://api.example.test/") == true)
        #expect(!masked.joined().contains("opensesame"))
        let whole = log(.formatRequestAscURL, redaction: .none) {
            $0.willSend(request, target: Thing())
        }
        #expect(
            whole == ["Request: $ curl -i \"https://api.example.test/thing?token=opensesame\""])
    }

    @Test func `NetworkLoggerPlugin logs the stream of a request's body`() {
        var request = URLRequest(url: Thing().baseURL)
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let lines = log(.verbose) { $0.willSend(Foreign(request: request), target: Thing()) }
        #expect(lines.contains { $0.hasPrefix("Request Body Stream: ") })
    }

    /// Nested like Alamofire's errors, without a description.
    private enum Failure: Error {
        enum Reason { case inputFileNil, status(code: Int, body: String) }
        case serialization(reason: Reason)
        case broken
    }

    @Test func `NetworkLoggerPlugin logs the case of an error and of its cause`() {
        func line(_ error: MoyaError, _ redaction: Redaction = .default) -> String {
            log([], redaction: redaction) { $0.didReceive(.failure(error), target: Thing()) }
                .joined()
        }
        let (type, reason) = (
            String(reflecting: Failure.self), String(reflecting: Failure.Reason.self)
        )
        let nested = MoyaError.underlying(Failure.serialization(reason: .inputFileNil), nil)
        #expect(
            line(nested) == "Error: Error calling Thing : "
                + "underlying(\(type).serialization(reason: \(reason).inputFileNil), nil)")
        #expect(
            line(.encodableMapping(Failure.broken)).hasSuffix(": encodableMapping(\(type).broken)"))
        let secret = Failure.serialization(reason: .status(code: 500, body: "opensesame"))
        #expect(
            line(.underlying(secret, nil)).hasSuffix(
                "\(type).serialization(reason: \(reason).status(code: Int, body: String)), nil)"))
        let whole = line(.underlying(secret, nil), .none)
        #expect(whole.contains("Thing(") && whole.contains(": underlying("))
        #expect(whole.hasSuffix(#"Reason.status(code: 500, body: "opensesame")), nil)"#))
        #expect(line(.requestMapping("a b"), .none).hasSuffix(#": requestMapping("a b")"#))
    }

    /// An error of an app without `LocalizedError`.
    private struct DiskError: Error {
        let reason: String
        let token: String
    }

    @Test func `NetworkLoggerPlugin logs the description of an app's error with secrets masked`()
        async
    {
        let error = DiskError(reason: "disk is full", token: "opensesame")
        let masked = await log([]) { _ in throw error }
        #expect(
            masked.last == "Error: Error calling Thing : "
                + #"underlying(DiskError(reason: "disk is full", token: "***"), nil)"#)
        let whole = await log([], redaction: .none) { _ in throw error }
        #expect(whole.last?.contains("opensesame") == true)
    }

    @Test func `NetworkLoggerPlugin logs the error of a response that is not complete`() {
        let error = MoyaError.underlying(
            URLError(.networkConnectionLost), Response(statusCode: 200, data: Data()))
        for (redaction, end) in [
            (Redaction.default, "Status Code: 200 OK, Data Length: 0)"),
            (.none, "Status Code: 200, Data Length: 0)"),
        ] {
            let lines = log([], redaction: redaction) {
                $0.didReceive(.failure(error), target: Thing())
            }
            #expect(lines.count == 2 && lines.first?.hasPrefix("Response: ") == true)
            #expect(lines.last?.contains(": underlying(") == true)
            #expect(lines.last?.hasSuffix(end) == true, "\(lines)")
        }
    }

    @Test func `NetworkLoggerPlugin logs session header fields and an invalid request`() {
        let lines = Locked<[String]>([])
        var configuration = Configuration(output: { _, items in lines.withLock { $0 += items } })
        configuration.formatter.entry = { identifier, message, _ in "\(identifier): \(message)" }
        let plugin = NetworkLoggerPlugin(configuration: configuration)
        plugin.willSend(Foreign(), target: Thing())
        #expect(lines.withLock { $0 } == ["Request: (invalid request)"])
        var request = URLRequest(url: Thing().baseURL)
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        plugin.willSend(Foreign(request: request), target: Thing())
        #expect(
            lines.withLock { $0 }.contains(
                #"Request Headers: ["Accept": "text/plain", "Accept-Language": "en-US"]"#))
    }

    @Test func `NetworkLoggerPlugin logs a response without a head as an empty response`() {
        let lines = Locked<[String]>([])
        let plugin = NetworkLoggerPlugin(
            configuration: Configuration(output: { _, items in lines.withLock { $0 += items } }))
        plugin.didReceive(.success(Response(statusCode: 200, data: Data())), target: Thing())
        #expect(
            lines.withLock { $0 }.first?.contains("Received empty network response for Thing.")
                == true)
    }

    private enum SignIn: TargetType {
        case signIn(user: String, password: String)
        case signOut

        var baseURL: URL { Thing().baseURL }
        var path: String { "/session" }
        var method: MoyaCore.Method { .post }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test func `NetworkLoggerPlugin logs a target without its associated values`() {
        let lines = Locked<[String]>([])
        var configuration = Configuration(output: { _, items in lines.withLock { $0 += items } })
        configuration.formatter.entry = { _, message, _ in message }
        let plugin = NetworkLoggerPlugin(configuration: configuration)
        let failure = Result<Response, MoyaError>.failure(.underlying(URLError(.timedOut), nil))
        let signIn = SignIn.signIn(user: "ash", password: "opensesame")
        plugin.didReceive(failure, target: signIn)
        plugin.didReceive(failure, target: MultiTarget(signIn))
        plugin.didReceive(failure, target: SignIn.signOut)
        let names = lines.withLock { $0 }.compactMap { $0.split(separator: " ").dropFirst(2).first }
        #expect(names == ["signIn", "signIn", "signOut"])
        configuration.redaction = .none
        plugin.configuration = configuration
        plugin.didReceive(failure, target: signIn)
        #expect(lines.withLock { $0 }.last?.contains("opensesame") == true)
    }

    @Test func `NetworkLoggerPlugin uses custom formatters`() async {
        let lines = Locked<[String]>([])
        let plugin = NetworkLoggerPlugin(
            configuration: Configuration(
                formatter: .init(
                    entry: { identifier, message, _ in "\(identifier)|\(message)" },
                    requestData: { "out \($0.count)" },
                    responseData: { "in \($0.count)" }),
                output: { _, items in lines.withLock { $0 += items } },
                logOptions: .verbose))
        let provider = MoyaProvider<Thing>(
            transport: StubTransport { try .stub(data: Data([1, 2, 3]), for: $0) },
            plugins: [plugin])
        _ = try? await provider.request(Thing(task: .requestData(Data([1]))))
        #expect(lines.withLock { $0 }.contains("Request Body|out 1"))
        #expect(lines.withLock { $0 }.contains("Response Body|in 3"))
    }

    @Test func `the default log formatters write the logger name and binary data as its size`() {
        #expect(
            Configuration.Formatter.defaultDataFormatter(Data([0xFF]))
                == "## Cannot map data to String: 1 bytes ##")
        let entry = Configuration.Formatter.defaultEntryFormatter(
            identifier: "Request", message: "m", target: Thing())
        #expect(entry.hasPrefix("Moya_Logger: ["))
        #expect(entry.hasSuffix("] Request: m"))
    }

    @Test func `the predefined loggers have default and verbose log options`() {
        #expect(NetworkLoggerPlugin.default.configuration.logOptions == .default)
        #expect(NetworkLoggerPlugin.verbose.configuration.logOptions == .verbose)
        #expect(!Configuration.LogOptions.verbose.contains(.formatRequestAscURL))
    }
}

@Suite struct LoggedBodyTests {
    private func shown(_ body: Data) -> String {
        NetworkLoggerPlugin.Configuration.Formatter.defaultDataFormatter(body)
    }

    @Test func `a large body is logged as its beginning and its size`() {
        let limit = 64 << 10
        let whole = String(repeating: "a", count: limit)
        #expect(shown(Data(whole.utf8)) == whole)
        #expect(shown(Data((whole + "b").utf8)) == "\(whole)… ## 65537 bytes ##")
        let text = shown(Data((whole.dropLast() + "🙂").utf8))
        #expect(text == "\(whole.dropLast())… ## 65539 bytes ##")
    }

    #if os(macOS) || os(Linux)
        /// The memory of the body cannot be read far after the bytes that are shown.
        @Test func `only the bytes that are logged of a large body are masked`() throws {
            let page = Int(getpagesize())
            let size = 64 * page + 1 << 20
            let memory = try #require(
                mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0))
            defer { munmap(memory, size) }
            memset(memory, Int32(UInt8(ascii: "a")), size)
            memcpy(memory + (64 << 10) - 14, "&password=hush-hush", 19)
            let start = (64 << 10) + page
            #expect(mprotect(memory + start, size - start, PROT_NONE) == 0)
            let body = Data(bytesNoCopy: memory, count: size, deallocator: .none)
            let log = Recorder<String>()
            let plugin = NetworkLoggerPlugin(
                configuration: .init(output: { log.record($1.joined()) }, logOptions: .verbose))
            plugin.didReceive(
                .success(Response(statusCode: 200, data: body)), target: Thing())
            let line = try #require(log.items.first)
            #expect(line.hasSuffix("a&password=***… ## \(size) bytes ##"))
        }
    #endif

    @Test(arguments: [2, 1 << 20])
    func `a body that is not text is logged as its size`(count: Int) {
        let body = Data(repeating: 0xFF, count: count)
        #expect(shown(body) == "## Cannot map data to String: \(count) bytes ##")
    }
}

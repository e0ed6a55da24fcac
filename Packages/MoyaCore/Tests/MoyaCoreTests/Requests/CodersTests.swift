import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct CodersTests {
    private struct Event: Codable, Equatable, Sendable {
        var startDate: Date
    }

    private let event = Event(startDate: Date(timeIntervalSince1970: 0))
    private let body = #"{"start_date":"1970-01-01T00:00:00Z"}"#

    private var coders: Coders {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        return Coders(decoder: decoder, encoder: encoder)
    }

    private struct Send: PeopleTarget {
        typealias Response = Event
        let event: Event
        var headers: [String: String]? = nil
        var coders: Coders? = nil
        var path: String { "/events" }
        var method: Moya.Method { .post }
        var task: RequestTask { .requestEncodable(event) }
    }

    /// A transport that responds with the request's body.
    private func echo(as contentType: String? = nil) -> StubTransport {
        StubTransport { request in
            var data = Data()
            if case .data(let sent) = request.body { data = sent }
            let type = contentType ?? request.urlRequest.value(forHTTPHeaderField: "Content-Type")
            return try .stub(
                headers: [HeaderField(name: "Content-Type", value: type ?? "")], data: data,
                for: request)
        }
    }

    @Test func `the coders of a provider encode bodies and decode responses`() async throws {
        let transport = echo()
        let provider = MoyaProvider<MultiTarget>(transport: transport, coders: coders)
        #expect(try await provider.request(Send(event: event)) == event)
        let sent = try #require(transport.requests.first)
        guard case .data(Data(body.utf8)) = sent.body else {
            Issue.record("Sent \(sent.body).")
            return
        }
        #expect(
            sent.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `request(_:as:) decodes with the provider's coders or with the call's decoder`()
        async throws
    {
        let transport = StubTransport { [body] in try .stub(data: Data(body.utf8), for: $0) }
        let provider = MoyaProvider<GitHub>(transport: transport, coders: coders)
        #expect(try await provider.request(.zen, as: Event.self) == event)
        await #expect(throws: MoyaError.self) {
            try await provider.request(.zen, as: Event.self, using: JSONDecoder())
        }
        let response: Moya.Response = try await provider.request(.zen)
        #expect(try response.decode(Event.self) == event)
        #expect(try response.map(Event.self) == event)
        #expect(throws: MoyaError.self) { try response.map(Event.self, using: JSONDecoder()) }
    }

    @Test func `map of a response without coders decodes as Moya does`() throws {
        let response = Moya.Response(
            statusCode: 200, data: Data(#"{"startDate":-978307200}"#.utf8))
        #expect(try response.map(Event.self) == event)
    }

    @Test func `map decodes with the decoder for the content type of the response`() async throws {
        let data = try PropertyListEncoder().encode(event)
        let provider = MoyaProvider<GitHub>(
            transport: StubTransport { request in
                try .stub(
                    headers: [HeaderField(name: "Content-Type", value: "application/x-plist")],
                    data: data, for: request)
            }, coders: coders.adding("application/x-plist", decoder: PropertyListDecoder()))
        #expect(try await provider.request(.zen).map(Event.self) == event)
    }

    /// A decoder of JSON that is not a `JSONDecoder`.
    private struct Wrapper: BodyDecoder {
        let decoder: JSONDecoder

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            try decoder.decode(type, from: data)
        }
    }

    @Test func `the value at a key path is decoded by the decoder of the coders`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let transport = StubTransport { [body] request in
            try .stub(data: Data("{\"events\":[\(body)]}".utf8), for: request)
        }
        let provider = MoyaProvider<GitHub>(
            transport: transport, coders: Coders(decoder: Wrapper(decoder: decoder)))
        #expect(try await provider.request(.zen).map([Event].self, atKeyPath: "events") == [event])
        #expect(
            try await provider.request(.zen, as: [Event].self, atKeyPath: "events") == [event])
    }

    private struct ReadEvent: PeopleTarget {
        typealias Response = Moya.Response
        typealias Failure = Event
        var coders: Coders?
        var path: String { "/event" }
    }

    @Test func `a response of a target with coders is decoded by them in every way`() async throws {
        let transport = StubTransport { [body] in try .stub(data: Data(body.utf8), for: $0) }
        let target = ReadEvent(coders: coders)
        let many = MoyaProvider<MultiTarget>(transport: transport)
        let one = MoyaProvider<ReadEvent>(transport: transport)
        let responses = [
            try await many.request(target), try await many.request(MultiTarget(target)),
        ]
        for response in responses {
            #expect(try response.map(Event.self) == event)
            #expect(try response.decode(Event.self) == event)
        }
        #expect(try await many.request(MultiTarget(target), as: Event.self) == event)
        #expect(try await one.request(target, as: Event.self) == event)
        let stream = try await many.stream(MultiTarget(target))
        #expect(try await stream.collect().map(Event.self) == event)
        var pages: [Event] = []
        for try await page in many.pages(of: MultiTarget(target), as: Event.self) {
            pages.append(page)
        }
        #expect(pages == [event])
    }

    @Test func `an error body is decoded by the coders of the target`() async throws {
        let transport = StubTransport { [body] request in
            try .stub(status: 404, data: Data(body.utf8), for: request)
        }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let target = ReadEvent(coders: coders)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        #expect(error?.failure(as: Event.self) == event)
        #expect(error?.failure(of: target) == event)
    }

    @Test func `request(_:as:) returns nil for an empty body if the type is an optional`()
        async throws
    {
        let transport = StubTransport { try .stub(status: 204, for: $0) }
        let provider = MoyaProvider<GitHub>(transport: transport)
        #expect(try await provider.request(.zen, as: Event?.self) == nil)
        #expect(
            try await provider.request(.zen, as: Event?.self, atKeyPath: "a", using: JSONDecoder())
                == nil)
        await #expect(throws: MoyaError.self) {
            try await provider.request(.zen, as: Event.self)
        }
        struct Options: Decodable { var limit: Int? }
        let options = try await provider.request(
            .zen, as: Options?.self, failsOnEmptyData: false)
        #expect(options != nil)
    }

    @Test func `a body that is not empty is decoded by its content type also with a substitute`()
        async throws
    {
        struct Options: Codable { var limit: Int? }
        let data = try PropertyListEncoder().encode(Options(limit: 3))
        let provider = MoyaProvider<GitHub>(
            transport: StubTransport { request in
                try .stub(
                    headers: [HeaderField(name: "Content-Type", value: "application/x-plist")],
                    data: data, for: request)
            }, coders: Coders().adding("application/x-plist", decoder: PropertyListDecoder()))
        let options = try await provider.request(.zen, as: Options.self, failsOnEmptyData: false)
        #expect(options.limit == 3)
    }

    @Test func `a typed request decodes with the decoder of the call`() async throws {
        let provider = MoyaProvider<MultiTarget>(transport: echo(), coders: coders)
        await #expect(throws: MoyaError.self) {
            try await provider.request(Send(event: event), using: JSONDecoder())
        }
    }

    @Test func `the coders of a target replace the coders of the provider`() async throws {
        let provider = MoyaProvider<MultiTarget>(transport: echo())
        #expect(try await provider.request(Send(event: event, coders: coders)) == event)
        let one = MoyaProvider<Send>(transport: echo())
        #expect(try await one.request(Send(event: event, coders: coders)) == event)
    }

    @Test func `the Content-Type of target and response selects the coder`() async throws {
        let all = coders.adding(
            "application/x-plist", decoder: PropertyListDecoder(), encoder: PropertyListEncoder())
        let transport = echo()
        let provider = MoyaProvider<MultiTarget>(transport: transport, coders: all)
        let headers = ["content-type": "Application/X-Plist; charset=utf-8"]
        #expect(try await provider.request(Send(event: event, headers: headers)) == event)
        guard case .data(let sent) = transport.requests.first?.body else {
            Issue.record("Nothing was sent.")
            return
        }
        #expect(try PropertyListDecoder().decode(Event.self, from: sent) == event)
    }

    @Test func `a content type with a structured suffix selects the coder of the suffix`() {
        let coders = Coders().adding("application/x-plist", decoder: PropertyListDecoder())
        #expect(coders.decoder(for: "application/vnd.a+x-plist; v=1") is PropertyListDecoder)
        #expect(coders.decoder(for: "APPLICATION/X-PLIST") is PropertyListDecoder)
        #expect(coders.decoder(for: "application/problem+json") is JSONDecoder)
        #expect(coders.decoder(for: nil) is JSONDecoder)
        #expect(coders.encoder(for: "application/x-plist") is JSONEncoder)
    }

    // RFC 9110, section 5.3: the values of a field that was sent twice are joined with a comma.
    @Test func `a Content-Type that was sent twice selects the coder of the first`() {
        let coders = Coders().adding("application/xml", decoder: PropertyListDecoder())
        for value in [
            "application/xml, application/xml", "application/xml,text/plain",
            "application/xml; charset=utf-8, application/xml", "application/atom+xml, text/plain",
        ] {
            #expect(coders.decoder(for: value) is PropertyListDecoder, "\(value)")
        }
        #expect(coders.decoder(for: "text/xml") is JSONDecoder)
    }

    private struct Plain: TargetType {
        let event: Event
        var headers: [String: String]? = nil
        var baseURL: URL { url("http://host.test") }
        var path: String { "/" }
        var method: Moya.Method { .post }
        var task: RequestTask { .requestJSONEncodable(event) }
    }

    @Test func `requestJSONEncodable encodes with the provider's coders, or else as Moya does`()
        async throws
    {
        let provider = MoyaProvider<Plain>(transport: echo(), coders: coders)
        #expect(try await provider.request(Plain(event: event)).data == Data(body.utf8))
        let plain = MoyaProvider<Plain>(transport: echo())
        #expect(
            try await plain.request(Plain(event: event)).data
                == Data(#"{"startDate":-978307200}"#.utf8))
    }

    @Test(arguments: [nil, "text/plain", "application/x-plist", "application/vnd.a+json"])
    func `requestJSONEncodable sends JSON although the coders write another format`(type: String?)
        async throws
    {
        let plist = Coders(decoder: PropertyListDecoder(), encoder: PropertyListEncoder())
        let transport = echo()
        let provider = MoyaProvider<Plain>(
            transport: transport,
            coders: plist.adding(
                "application/x-plist", decoder: PropertyListDecoder(),
                encoder: PropertyListEncoder()))
        let target = Plain(event: event, headers: type.map { ["Content-Type": $0] })
        let sent = try await provider.request(target).data
        #expect(sent == Data(#"{"startDate":-978307200}"#.utf8))
        let field = transport.requests.first?.urlRequest.value(forHTTPHeaderField: "Content-Type")
        #expect(field == type ?? "application/json")
    }

    @Test func `the default encoder is used for JSON only if it writes JSON`() {
        let plist = Coders(encoder: PropertyListEncoder())
        #expect(plist.encoder(for: nil) is PropertyListEncoder)
        #expect(plist.encoder(for: "text/xml") is PropertyListEncoder)
        #expect(plist.encoder(for: "application/json; charset=utf-8") is JSONEncoder)
        #expect(plist.encoder(for: "application/problem+json") is JSONEncoder)
    }

    private struct Sampled: PeopleTarget, SampledTarget {
        typealias Response = Event
        var coders: Coders? = nil
        var path: String { "/events" }
        var sample: Event { Event(startDate: Date(timeIntervalSince1970: 0)) }
    }

    @Test func `a sample is encoded by the coders of the provider that answers with it`()
        async throws
    {
        let behaviors: [StubBehavior] = [.immediate, .delayed(seconds: 0)]
        for behavior in behaviors {
            let provider = MoyaProvider<MultiTarget>(
                stubClosure: { _ in behavior }, transport: echo(), coders: coders)
            #expect(try await provider.request(Sampled()) == event)
            let response: Moya.Response = try await provider.request(MultiTarget(Sampled()))
            #expect(response.data == Data(body.utf8))
            let stream = try await provider.stream(MultiTarget(Sampled()))
            #expect(try await stream.collect().data == Data(body.utf8))
        }
        let provider = MoyaProvider<MultiTarget>(
            transport: StubTransport(.sampleData()), coders: coders)
        #expect(try await provider.request(Sampled()) == event)
        let stubbed = StubbedProvider<MultiTarget>(coders: coders)
        #expect(try await stubbed.request(Sampled()) == event)
    }

    @Test func `a sample is encoded by the target's coders if it has any, otherwise as JSON`()
        async throws
    {
        let provider = MoyaProvider<MultiTarget>(
            stubClosure: MoyaProvider.immediatelyStub, transport: echo())
        #expect(try await provider.request(Sampled(coders: coders)) == event)
        #expect(Sampled(coders: coders).sampleData == Data(body.utf8))
        #expect(Sampled().sampleData == Data(#"{"startDate":-978307200}"#.utf8))
    }

    @Test func `a value that cannot be encoded is an encodableMapping error`() async {
        struct Broken: PeopleTarget {
            typealias Response = Void
            var path: String { "/" }
            var method: Moya.Method { .post }
            var task: RequestTask { .requestEncodable(Double.infinity) }
        }
        let provider = MoyaProvider<MultiTarget>(transport: echo())
        let error = await #expect(throws: MoyaError.self) { try await provider.request(Broken()) }
        guard case .encodableMapping = error else {
            Issue.record("Expected .encodableMapping, got \(String(describing: error)).")
            return
        }
    }
}

#if XML
    import Foundation
    import MoyaCore
    import MoyaStubs
    import MoyaXML
    import Testing

    // The documents are the examples of the Amazon S3 API reference and of SOAP 1.1, section 1.3.
    @Suite struct XMLCoderTests {
        struct ListBucketResult: Decodable, Equatable, Sendable {
            struct Object: Decodable, Equatable, Sendable {
                var Key: String
                var LastModified: Date
                var Size: Int
            }

            var Name: String
            var IsTruncated: Bool
            var Contents: [Object]
        }

        struct CreateBucketConfiguration: Codable, Equatable, Sendable {
            var LocationConstraint: String
        }

        struct S3Error: Decodable, Equatable, Sendable {
            var Code: String
            var Resource: String
        }

        struct Storage: TargetType {
            var method = MoyaCore.Method.get
            var task = RequestTask.requestPlain
            var headers: [String: String]?
            var baseURL: URL { URL(string: "https://s3.test") ?? URL(fileURLWithPath: "/") }
            var path: String { "/" }
            var validationType: ValidationType { .successCodes }
        }

        private let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                <Name>bucket</Name>
                <IsTruncated>false</IsTruncated>
                <Contents>
                    <Key>my-image.jpg</Key>
                    <LastModified>2009-10-12T17:50:30Z</LastModified>
                    <Size>434234</Size>
                </Contents>
                <Contents>
                    <Key>a&amp;b</Key>
                    <LastModified>1970-01-01T00:00:00Z</LastModified>
                    <Size>0</Size>
                </Contents>
            </ListBucketResult>
            """

        private func answer(_ text: String, _ type: String, status: Int = 200) -> StubTransport {
            StubTransport(
                .response(status, headers: ["Content-Type": type], data: Data(text.utf8)))
        }

        @Test(arguments: ["application/xml", "text/xml; charset=utf-8", "application/atom+xml"])
        func `a response is decoded as XML by its content type`(type: String) async throws {
            let coders = Coders.json.addingXML(
                decoder: XMLBodyDecoder { $0.dateDecodingStrategy = .iso8601 })
            let provider = MoyaProvider<Storage>(transport: answer(list, type), coders: coders)
            let result = try await provider.request(Storage(), as: ListBucketResult.self)
            #expect(result.Name == "bucket")
            #expect(!result.IsTruncated)
            #expect(result.Contents.map(\.Key) == ["my-image.jpg", "a&b"])
            #expect(
                result.Contents.map(\.LastModified.timeIntervalSince1970) == [1_255_369_830, 0])
            #expect(result.Contents.map(\.Size) == [434_234, 0])
            #expect(try await provider.request(Storage()).map(ListBucketResult.self) == result)
        }

        @Test func `JSON is decoded as JSON beside XML`() async throws {
            let provider = MoyaProvider<Storage>(
                transport: answer(#"{"LocationConstraint":"EU"}"#, "application/json"),
                coders: Coders.json.addingXML())
            let value = try await provider.request(Storage(), as: CreateBucketConfiguration.self)
            #expect(value.LocationConstraint == "EU")
        }

        @Test func `an error body in XML is decoded by the coders of the response`() async {
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error>
                  <Code>NoSuchKey</Code>
                  <Message>The resource you requested does not exist</Message>
                  <Resource>/mybucket/myfoto.jpg</Resource>
                  <RequestId>4442587FB7D0A2F9</RequestId>
                </Error>
                """
            let provider = MoyaProvider<Storage>(
                transport: answer(text, "application/xml", status: 404),
                coders: Coders.json.addingXML())
            let error = await #expect(throws: MoyaError.self) {
                try await provider.request(Storage())
            }
            #expect(
                error?.failure(as: S3Error.self)
                    == S3Error(Code: "NoSuchKey", Resource: "/mybucket/myfoto.jpg"))
        }

        @Test func `a SOAP envelope is decoded without the prefixes of its namespaces`() throws {
            struct Envelope: Decodable {
                struct Content: Decodable { var GetLastTradePriceResponse: Trade }
                struct Trade: Decodable { var Price: Double }
                var Body: Content
            }
            let text = """
                <SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">
                   <SOAP-ENV:Body>
                       <m:GetLastTradePriceResponse xmlns:m="Some-URI">
                           <Price>34.5</Price>
                       </m:GetLastTradePriceResponse>
                   </SOAP-ENV:Body>
                </SOAP-ENV:Envelope>
                """
            let decoder = XMLBodyDecoder { $0.shouldProcessNamespaces = true }
            let envelope = try decoder.decode(Envelope.self, from: Data(text.utf8))
            #expect(envelope.Body.GetLastTradePriceResponse.Price == 34.5)
        }

        @Test func `a value is sent as XML with its type as the root element`() async throws {
            let transport = StubTransport(.response(200))
            let encoder = XMLBodyEncoder(namespace: "http://s3.amazonaws.com/doc/2006-03-01/")
            let coders = [
                Coders(decoder: XMLBodyDecoder(), encoder: encoder),
                Coders.json.addingXML(encoder: encoder),
            ]
            let value = CreateBucketConfiguration(LocationConstraint: "E<U")
            let xml =
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CreateBucketConfiguration "
                + "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><LocationConstraint>E&lt;U"
                + "</LocationConstraint></CreateBucketConfiguration>"
            for (coders, type) in zip(coders, [nil, "application/xml"]) {
                let provider = MoyaProvider<Storage>(transport: transport, coders: coders)
                _ = try await provider.request(
                    Storage(
                        method: .put, task: .requestEncodable(value),
                        headers: type.map { ["Content-Type": $0] }))
                let sent = try #require(transport.requests.last)
                #expect(
                    sent.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/xml")
                guard case .data(Data(xml.utf8)) = sent.body else {
                    Issue.record("Sent \(sent.body).")
                    return
                }
            }
        }

        private enum Order: String, Encodable { case newest }
        private struct ID: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("a")
            }
        }
        private struct Link: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(URL(fileURLWithPath: "/"))
            }
        }
        private struct Nothing: Encodable {}
        private struct Generic<Value: Encodable>: Encodable { var value: Value }

        // XMLCoder ends the process for some of these.
        @Test func `a value without a root element is an encoding error`() {
            let values: [any Encodable] = [
                1, "a", true, 1.5, Order.newest, ID(), Link(), Date(), Data([1]), Decimal(1),
                URL(fileURLWithPath: "/"), [1], ["a": 1], Int?.some(1), Generic(value: 1),
            ]
            for value in values {
                #expect(throws: EncodingError.self, "\(value)") {
                    try XMLBodyEncoder().encode(value)
                }
            }
            #expect(throws: Never.self) { try XMLBodyEncoder().encode(Nothing()) }
        }

        @Test(arguments: ["", "{}", "<a>", "<a></b>", "text", "<a/><b/>", "<a>&b;</a>"])
        func `a body that is not XML is an error of the request`(text: String) async {
            let provider = MoyaProvider<Storage>(
                transport: answer(text, "text/xml"), coders: Coders.json.addingXML())
            let error = await #expect(throws: MoyaError.self) {
                try await provider.request(Storage(), as: S3Error.self)
            }
            guard case .objectMapping = error else {
                Issue.record("Expected .objectMapping, got \(String(describing: error)).")
                return
            }
        }

        struct Root: Decodable { var b: Int? }

        @Test(arguments: [(256, true), (257, false), (100_000, false)])
        func `elements are decoded down to a depth of 256, and deeper ones are an error`(
            depth: Int, isDecoded: Bool
        ) {
            let text =
                String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
            let root = try? XMLBodyDecoder().decode(Root.self, from: Data(text.utf8))
            #expect((root != nil) == isDecoded)
        }

        // These entities would expand to a billion bytes. libxml2 limits the expansion.
        @Test func `a document whose entities expand without bound is an error`() {
            let entities = (1...9).map { level in
                let inner = String(repeating: "&e\(level - 1);", count: 10)
                return "<!ENTITY e\(level) \"\(inner)\">"
            }
            let text =
                "<!DOCTYPE Error [<!ENTITY e0 \"a\">\(entities.joined())]>"
                + "<Error><Code>&e9;</Code><Resource/></Error>"
            #expect(throws: (any Error).self) {
                try XMLBodyDecoder().decode(S3Error.self, from: Data(text.utf8))
            }
        }

        @Test func `bodies in XML are compared by a cassette without taking others for equal`()
            async throws
        {
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("\(UInt64.random(in: .min ... .max)).har")
            defer { try? FileManager.default.removeItem(at: file) }
            var options = CassetteTransport.Options()
            options.matchers = [.body]
            func request(_ text: String) throws -> TransportRequest {
                var request = URLRequest(url: try #require(URL(string: "https://s3.test/")))
                request.httpMethod = "PUT"
                request.setValue("application/xml", forHTTPHeaderField: "Content-Type")
                var sent = TransportRequest(request, body: .data(Data(text.utf8)))
                sent.context = RequestContext(coders: Coders.json.addingXML())
                return sent
            }
            let bodies = [
                "<a><b>1</b></a>", "<a><b>2</b></a>", "<a><c>1</c></a>", "<a><b>1</b><b>1</b></a>",
                "<a b=\"1\"/>", "<a/>", "<a>1</a>", "<x><b>1</b></x>",
            ]
            for recorded in bodies {
                try? FileManager.default.removeItem(at: file)
                let network = StubTransport(.response(200))
                _ = try await network.cassette(at: file, options: options).send(request(recorded))
                for body in bodies {
                    let played = try CassetteTransport(at: file, mode: .none, options: options)
                    let answer = try? await played.send(request(body))
                    #expect((answer != nil) == (body == recorded), "\(body) \(recorded)")
                }
            }
        }
    }
#endif

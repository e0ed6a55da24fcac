#if HTTPTypes
    import Foundation
    import HTTPTypes
    import HTTPTypesFoundation
    import MoyaCore
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTestSupport
    import MoyaTesting
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Conversions, with those of HTTPTypesFoundation as a reference.
    @Suite struct HTTPTypesTests {
        private func name(_ text: String) throws -> HTTPField.Name {
            try #require(HTTPField.Name(text))
        }

        private func request(
            _ authority: String?, _ path: String?, method: HTTPRequest.Method = .get,
            fields: HTTPFields = [:]
        ) -> HTTPRequest {
            HTTPRequest(
                method: method, scheme: "https", authority: authority, path: path,
                headerFields: fields)
        }

        @Test(arguments: [
            ("example.com", "/"), ("example.com:8443", "/a%20b/%C3%BC?q=1&q=2"),
            ("[2001:db8::1]:80", "/x?"), ("example.com", "/;p=1/%2F?a=%26"),
        ])
        func `a request is converted as HTTPTypesFoundation converts it, and back`(
            authority: String, path: String
        ) throws {
            let method = try #require(HTTPRequest.Method("PURGE"))
            var fields: HTTPFields = [.accept: "a/b", try name("X-One"): "1"]
            fields.append(HTTPField(name: try name("x-one"), value: "2"))
            fields.append(HTTPField(name: .cookie, value: "a=1"))
            fields.append(HTTPField(name: .cookie, value: "b=2"))
            let original = request(authority, path, method: method, fields: fields)
            let converted = try TransportRequest(original)
            let reference = try #require(URLRequest(httpRequest: original))
            #expect(converted.urlRequest.url == reference.url)
            #expect(converted.urlRequest.httpMethod == "PURGE")
            // A `URLRequest` reads its fields without regard to case.
            for name in ["Accept", "X-One", "Cookie"] {
                #expect(
                    converted.urlRequest.value(forHTTPHeaderField: name)
                        == reference.value(forHTTPHeaderField: name))
            }
            #expect(converted.urlRequest.value(forHTTPHeaderField: "X-One") == "1, 2")
            #expect(converted.urlRequest.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
            let back = try #require(HTTPRequest(converted))
            #expect(back.pseudoHeaderFields == original.pseudoHeaderFields)
            for field in original.headerFields {
                #expect(back.headerFields[field.name] == original.headerFields[field.name])
            }
        }

        @Test(arguments: [
            "https://example.com", "https://example.com?q=1", "https://me:secret@example.com/a#top",
        ])
        func `a URL is converted as HTTPTypesFoundation converts it, without its user`(
            address: String
        ) throws {
            let converted = try #require(HTTPRequest(.test("GET", address)))
            let plain = address.replacingOccurrences(of: "me:secret@", with: "")
            #expect(
                converted.pseudoHeaderFields
                    == HTTPRequest(method: .get, url: url(plain)).pseudoHeaderFields)
        }

        @Test(arguments: [
            (nil, "/"), ("example.com", "a"), ("example.com", "*"), ("good.test@evil.test", "/"),
            ("evil.test/good.test", "/"), ("a?b", "/"), ("", "/"),
        ])
        func `pseudo-header fields that form no URL, or another one, are refused`(
            authority: String?, path: String
        ) async throws {
            let code = await urlErrorCode { try TransportRequest(request(authority, path)) }
            #expect(code == .badURL)
        }

        @Test func `fields of a response keep their order, repetition and case both ways`()
            throws
        {
            let fields = [
                HeaderField(name: "Set-Cookie", value: "a=1, b"),
                HeaderField(name: "X-Ünï", value: "no token"),
                HeaderField(name: "x-trace", value: "ä"),
                HeaderField(name: "set-cookie", value: "b=2"),
                HeaderField(name: "Empty", value: ""),
            ]
            let head = ResponseHead(statusCode: 207, url: url("http://a.test"), fields: fields)
            let response = try #require(HTTPResponse(head))
            #expect(response.status.code == 207)
            let expected = fields.filter { $0.name != "X-Ünï" }
            #expect([HeaderField](response.headerFields) == expected)
            let back = ResponseHead(response, url: url("http://a.test"), httpVersion: "HTTP/2")
            #expect(back.fields == expected)
            #expect(back.statusCode == 207)
            #expect(back.httpVersion == "HTTP/2")
        }

        @Test func `a provider sends an HTTPRequest through its plugins and transport`()
            async throws
        {
            let server = try MockServer { request in
                MockResponse(body: .data(request.body)).adding("X-Path", request.target)
                    .adding("Set-Cookie", "a=1").adding("Set-Cookie", "b=2")
                    .addingTrailer("X-Sum", "9")
            }
            defer { server.stop() }
            let plugin = HeaderPlugin()
            let provider = MoyaProvider<MultiTarget>(
                transport: Carrier.allCases[0].transport, plugins: [plugin])
            let request = HTTPRequest(
                method: .put, scheme: "http", authority: "127.0.0.1:\(server.port)",
                path: "/a%2Fb?q=%26",
                headerFields: [.contentType: "text/plain", .accept: "text/plain"])
            let response = try await provider.send(
                request, task: .requestData(Data("hello".utf8)))
            #expect(response.httpResponse?.status == .ok)
            #expect(response.httpResponse?.headerFields[values: .setCookie] == ["a=1", "b=2"])
            #expect(response.header("X-Path") == "/a%2Fb?q=%26")
            #expect(try response.mapString() == "hello")
            #expect(HTTPFields(response.trailers)[try name("x-sum")] == "9")
            let received = try #require(server.requests.first)
            #expect(received.method == "PUT")
            #expect(received.value(for: "Content-Type") == "text/plain")
            #expect(received.value(for: "X-Plugin") == "seen")
        }

        @Test func `a provider refuses an HTTPRequest without a URL`() async throws {
            let network = StubTransport(.response())
            let provider = MoyaProvider<MultiTarget>(transport: network)
            let error = await #expect(throws: MoyaError.self) {
                try await provider.send(request(nil, "/"))
            }
            #expect("\(try #require(error))".contains("pseudo-header fields"))
            #expect(network.requests.isEmpty)
        }
    }

    private struct HeaderPlugin: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("seen", forHTTPHeaderField: "X-Plugin")
            return request
        }
    }
#endif

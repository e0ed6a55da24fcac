#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTestSupport
    import OpenAPIRuntime
    import Testing

    /// Operations of a generated client over each transport, and a real server.
    @Suite(.timeLimit(.minutes(5))) struct OperationTests {
        private let store: PetStore
        private var server: MockServer { store.server }

        init() throws {
            store = try PetStore()
        }

        @Test(arguments: Carried.allCases)
        func `query parameters, header fields and JSON of a response are carried`(
            kind: Carried
        ) async throws {
            let input = Operations.ListPets.Input(limit: 2, tags: ["a b", "c&d"])
            let output = try await store.client(kind.transport).listPets(input)
            let target = "/v1/pets?limit=2&tag=a%20b&tag=c%26d"
            #expect(
                output
                    == .ok(
                        [.init(id: 1, name: "Rex"), .init(id: 2, name: target)], next: "two"))
            let request = try #require(server.requests.first)
            #expect(request.value(for: "Accept") == "application/json")
        }

        @Test(arguments: Carried.allCases)
        func `a JSON body is sent with its length, and a documented response is decoded`(
            kind: Carried
        ) async throws {
            let pet = Components.Schemas.Pet(name: "Grüße", tags: ["x"])
            let output = try await store.client(kind.transport).createPet(pet)
            #expect(output == .created(pet, location: "/v1/pets/7"))
            let request = try #require(server.requests.first)
            #expect(request.value(for: "Content-Type") == "application/json; charset=utf-8")
            #expect(request.value(for: "Content-Length") == "\(request.body.count)")
            #expect(
                try JSONDecoder().decode(Components.Schemas.Pet.self, from: request.body) == pet)
        }

        @Test(arguments: Carried.allCases)
        func `documented and undocumented errors are outputs, not errors`(
            kind: Carried
        ) async throws {
            let client = store.client(kind.transport)
            #expect(
                try await client.getPet(id: "none") == .notFound(.init(code: 404, message: "gone")))
            #expect(try await client.getPet(id: "a/b ü") == .ok(.init(name: "a/b ü")))
            server.enqueue(.text("down", status: 503))
            guard case .undocumented(503, let payload) = try await client.getPet(id: "1") else {
                Issue.record("The response is documented.")
                return
            }
            let body = try #require(payload.body)
            #expect(try await String(collecting: body, upTo: 10) == "down")
            #expect(payload.headerFields[.contentType] == "text/plain; charset=utf-8")
        }

        @Test(arguments: Carried.allCases)
        func `a response without a body leaves its connection for the next request`(
            kind: Carried
        ) async throws {
            let client = store.client(kind.transport)
            for id in ["1", "2", "3"] {
                #expect(try await client.deletePet(id: id) == .noContent)
            }
            #expect(Set(server.requests.map(\.connectionID)).count == 1)
        }

        @Test(arguments: Carried.allCases)
        func `a multipart body is streamed in its parts`(kind: Carried) async throws {
            let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let parts: MultipartBody<Operations.AddPhotos.Part> = [
                .pet(.init(payload: .init(name: "Rex"))),
                .photo(.init(payload: HTTPBody(photo), filename: "a.png")),
            ]
            let output = try await store.client(kind.transport).addPhotos(id: "7", parts)
            let request = try #require(server.requests.first)
            #expect(output == .ok(.init(count: request.bodyLength)))
            // URLSession on Linux cannot stream a body of unknown length.
            if kind != .foundation { #expect(request.value(for: "Content-Length") == nil) }
            let type = try #require(request.value(for: "Content-Type"))
            let boundary = try #require(type.components(separatedBy: "boundary=").last)
            // RFC 2046, section 5.1.1.
            let end = Data("\r\n--\(boundary)--\r\n".utf8)
            #expect(request.body.starts(with: Data("--\(boundary)\r\n".utf8)))
            #expect(request.body.range(of: Data("\r\n\r\n".utf8) + photo + end) != nil)
            #expect(request.body.range(of: Data(#"filename="a.png""#.utf8)) != nil)
            #expect(request.body.range(of: Data(#""name" : "Rex""#.utf8)) != nil)
        }

        @Test(arguments: Carried.allCases)
        func `a streamed request body arrives in order, and is sent once`(
            kind: Carried
        ) async throws {
            let pets = AsyncStream<Components.Schemas.Pet> { continuation in
                for number in 0..<500 { continuation.yield(.init(name: "Pet \(number)")) }
                continuation.finish()
            }
            let body = HTTPBody(
                pets.asEncodedJSONLines(), length: .unknown, iterationBehavior: .single)
            let output = try await store.client(kind.transport).importPets(body)
            #expect(output == .accepted(.init(count: 500)))
            let lines = (0..<500).map { "{\"name\":\"Pet \($0)\"}\n" }.joined()
            #expect(server.requests.map(\.body) == [Data(lines.utf8)])
        }

        @Test(arguments: Carried.allCases)
        func `a streamed response body has its length and arrives whole`(
            kind: Carried
        ) async throws {
            guard case .ok(let body) = try await store.client(kind.transport).exportPets() else {
                Issue.record("The response is undocumented.")
                return
            }
            #expect(body.length == .known(1_000_000))
            #expect(body.iterationBehavior == .single)
            let data = try await Data(collecting: body, upTo: 1_000_000)
            #expect(data == Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }))
        }

        @Test(arguments: Carried.allCases)
        func `server-sent events are decoded as they arrive`(kind: Carried) async throws {
            guard case .ok(let body) = try await store.client(kind.transport).watchPets() else {
                Issue.record("The response is undocumented.")
                return
            }
            #expect(body.length == .unknown)
            let events = body.asDecodedServerSentEventsWithJSONData(
                of: Components.Schemas.Pet.self)
            var names: [String] = []
            // The runtime makes an event of a comment.
            for try await event in events where event.data != nil {
                names.append(event.data?.name ?? "")
            }
            #expect(names == ["Rex", "Ada"])
            #expect(
                server.requests.first?.value(for: "Accept")
                    == "text/event-stream, application/json")
        }

        @Test(arguments: Carried.allCases)
        func `a failure is the underlying error of a ClientError that names the operation`(
            kind: Carried
        ) async throws {
            let client = store.client(kind.transport)
            server.stop()
            let error = await #expect(throws: ClientError.self) { try await client.listPets() }
            #expect(error?.operationID == "listPets")
            #expect((error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        }

        @Test(arguments: Carried.allCases)
        func `a streamed body that breaks off fails while it is read`(
            kind: Carried
        ) async throws {
            server.enqueue(
                MockResponse(body: .pattern(byteCount: 1000))
                    .adding("Content-Type", "application/octet-stream").truncated(after: 10))
            guard case .ok(let body) = try await store.client(kind.transport).exportPets() else {
                Issue.record("The response is undocumented.")
                return
            }
            #expect(
                await urlErrorCode { try await Data(collecting: body, upTo: 1000) }
                    == .networkConnectionLost)
        }
    }
#endif

#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import MoyaLayers
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTestSupport
    import MoyaTesting
    import OpenAPIRuntime
    import Testing

    /// Layers, stubs, cassettes and the fault explorer under a generated client.
    @Suite(.timeLimit(.minutes(5))) struct LayerTests {
        private let store: PetStore
        private var server: MockServer { store.server }

        init() throws {
            store = try PetStore()
        }

        private func client(_ transport: any Transport) -> Client {
            Client(serverURL: url("http://pets.test"), transport: OpenAPITransport(transport))
        }

        private let retries = RetryPolicy.exponential(maximumRetries: 2, base: 0.001)

        @Test(arguments: Carried.allCases)
        func `a failed operation is repeated, also if its JSON breaks off`(
            kind: Carried
        ) async throws {
            server.enqueue(
                .text("busy", status: 503), .json([["id": 1, "name": "Rex"]]).truncated(after: 5),
                .json([["id": 1, "name": "Rex"]]))
            let output = try await store.client(kind.transport.retrying(retries)).listPets()
            #expect(output == .ok([.init(id: 1, name: "Rex")], next: nil))
            #expect(server.requests.count == 3)
        }

        @Test func `an operation with a body that can be iterated once is not repeated`()
            async throws
        {
            let network = StubTransport(.response(503), .response(202))
            let lines = HTTPBody(
                AsyncStream<ArraySlice<UInt8>> { $0.finish() }, length: .unknown,
                iterationBehavior: .single)
            let output = try await client(network.retrying(retries)).importPets(lines)
            guard case .undocumented(503, _) = output else {
                Issue.record("\(output)")
                return
            }
            #expect(network.requests.count == 1)
        }

        @Test func `a fresh response is served from the cache`() async throws {
            server.on("GET", "/v1/pets/{id}") { _ in
                .json(["name": "Rex"]).adding("Cache-Control", "max-age=60")
            }
            let client = store.client(
                Carried.foundation.transport.caching(in: MemoryCacheStore()))
            for _ in 0..<3 {
                #expect(try await client.getPet(id: "1") == .ok(.init(name: "Rex")))
            }
            #expect(server.requests.count == 1)
        }

        @Test func `operations are recorded on a cassette and played without a server`()
            async throws
        {
            let folder = try TemporaryFolder()
            let file = folder.file("pets.har")
            let pet = Components.Schemas.Pet(name: "Rex")
            func flow(_ client: Client) async throws -> [String] {
                let created = try await client.createPet(pet)
                let missing = try await client.getPet(id: "none")
                guard case .ok(let body) = try await client.watchPets() else { return [] }
                let events = try await String(collecting: body, upTo: 1000)
                return ["\(created)", "\(missing)", events]
            }
            let recorded = try await flow(
                store.client(Carried.foundation.transport.cassette(at: file)))
            server.stop()
            let played = try await flow(
                store.client(CassetteTransport(at: file, mode: .none)))
            #expect(recorded == played)
            #expect(played.count == 3)
        }

        @Test func `a stub is selected by the ID of the operation`() async throws {
            let network = StubTransport()
            network.on(.name("getPet")).respond(try .json(["name": "Rex"]))
            network.on(.name("deletePet")).respond(.response(204))
            let client = self.client(network)
            #expect(try await client.deletePet(id: "9") == .noContent)
            #expect(try await client.getPet(id: "9") == .ok(.init(name: "Rex")))
            let error = await #expect(throws: ClientError.self) { try await client.listPets() }
            let reason = "\(try #require(error).underlyingError)"
            #expect(reason.contains("its name is listPets, not "))
        }

        @Test func `the ID of the operation is the comment of its entry in an archive`()
            async throws
        {
            let folder = try TemporaryFolder()
            let file = folder.file("pets.har")
            let recorder = try HARRecorder(to: file)
            let network = StubTransport(.response(204))
            _ = try await client(network.recording(to: recorder)).deletePet(id: "1")
            try recorder.finish()
            let archive = try JSONDecoder().decode(
                JSONValue.self, from: try Data(contentsOf: file))
            guard case .object(let top) = archive, case .object(let log) = top["log"],
                case .array(let entries) = log["entries"], case .object(let entry) = entries.first
            else {
                Issue.record("\(archive)")
                return
            }
            #expect(entry["comment"] == "deletePet")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
        @Test func `no fault makes a retrying client create a pet twice`() async throws {
            let retries = retries
            let report = try await explore(
                .everyFault,
                server: {
                    let server = StubTransport()
                    server.on(.name("listPets")).respond(try .json([["name": "Rex"]]))
                    server.on(.name("createPet")).respond(
                        try .json(["name": "Ada"], status: 201, headers: ["Location": "/1"]))
                    return server
                }
            ) { network in
                let client = self.client(
                    network.retrying(retries, clock: network.clock)
                        .timingOut(after: 60, clock: network.clock))
                let listed = try await client.listPets()
                // A process that starts again cannot know whether the pet exists.
                guard case .ok = listed, !network.isRestart else { return "\(listed)" }
                return "\(try await client.createPet(.init(name: "Ada")))"
            } holding: { run in
                run.neverSends(.post, "/pets", moreThan: 1)
                run.ends(within: .seconds(130))
                run.errorsAreTyped(as: ClientError.self)
            }
            #expect(report.findings.isEmpty)
        }
    }
#endif

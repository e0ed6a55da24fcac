#if OpenAPI
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTesting
    import MoyaTransportCurl
    import MoyaTransportFoundation
    import MoyaTransportNIO

    /// A server that has the operations of ``Client``.
    struct PetStore {
        let server: MockServer

        init() throws {
            server = try MockServer { _ in .json(["code": 404, "message": "gone"], status: 404) }
            server.on("GET", "/v1/pets") { request in
                .json([["id": 1, "name": "Rex"], ["id": 2, "name": .string(request.target)]])
                    .adding("x-next", "two")
            }
            server.on("POST", "/v1/pets") { request in
                request.body.isEmpty
                    ? .json(["code": 422, "message": "empty"], status: 422)
                    : MockResponse(status: 201, body: .data(request.body))
                        .adding("Content-Type", "application/json; charset=utf-8")
                        .adding("Location", "/v1/pets/7")
            }
            server.on("GET", "/v1/pets/{id}") { request in
                request.parameters["id"] == "none"
                    ? .json(["code": 404, "message": "gone"], status: 404)
                    : .json(["name": .string(request.parameters["id"] ?? "")])
            }
            server.on("DELETE", "/v1/pets/{id}") { _ in MockResponse(status: 204, body: .none) }
            server.on("POST", "/v1/pets/{id}/photos") { request in
                .json(["count": .number(Double(request.bodyLength))])
            }
            server.on("GET", "/v1/pets/export") { _ in
                MockResponse(body: .pattern(byteCount: 1_000_000))
                    .adding("Content-Type", "application/octet-stream")
            }
            server.on("PUT", "/v1/pets/import") { request in
                let count = request.body.count { $0 == UInt8(ascii: "\n") }
                return .json(["count": .number(Double(count))], status: 202)
            }
            server.on("GET", "/v1/pets/watch") { _ in
                MockResponse(
                    body: .chunked([
                        Data("event: born\ndata: {\"name\":".utf8), Data("\"Rex\"}\n\n: ".utf8),
                        Data("still there\n\nid: 2\ndata: {\"name\":\"Ada\"}\n\n".utf8),
                    ])
                ).adding("Content-Type", "text/event-stream")
            }
        }

        var url: URL { server.url.appendingPathComponent("v1") }

        func client(_ transport: any Transport) -> Client {
            Client(
                serverURL: url, transport: OpenAPITransport(transport, timeoutInterval: 120))
        }
    }

    /// The transports under the client.
    enum Carried: String, CaseIterable, Sendable {
        #if os(Linux) || os(macOS)
            case curl
        #endif
        case foundation
        #if AsyncHTTPClient
            case nio
        #endif

        var transport: any Transport {
            switch self {
            #if os(Linux) || os(macOS)
                case .curl: CurlTransport()
            #endif
            case .foundation: FoundationTransport()
            #if AsyncHTTPClient
                case .nio: HTTPClientTransport()
            #endif
            }
        }
    }
#endif

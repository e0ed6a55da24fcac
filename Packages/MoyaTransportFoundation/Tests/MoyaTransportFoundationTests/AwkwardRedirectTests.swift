#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// Locations that URLSession on Linux misinterprets.
    @Suite struct AwkwardRedirectTests {
        // RFC 3986, section 3.1: schemes are case-insensitive.
        @Test func `A redirect to an HTTP scheme in capitals is followed`() async throws {
            let server = try MockServer { request in
                request.path == "/next"
                    ? .text("hello")
                    : .redirect(to: "HTTP://\(request.value(for: "Host") ?? "")/next")
            }
            defer { server.stop() }
            let response = try await FoundationTransport().send(
                TransportRequest(URLRequest(url: server.url)))
            #expect(response.head.statusCode == 200)
            #expect(server.requests.map(\.path) == ["/", "/next"])
        }

        // URLSession joins the two fields to a value that is neither of them.
        @Test(arguments: [302, 308])
        func `A redirect with two Locations is a bad response`(status: Int) async throws {
            let server = try MockServer { request in
                request.path == "/"
                    ? .redirect(to: "/a", status: status).adding("Location", "/b") : .text("hello")
            }
            defer { server.stop() }
            for destination in [ResponseDestination.memory(), .stream] {
                let request = TransportRequest(
                    URLRequest(url: server.url), destination: destination)
                let error = await #expect(throws: URLError.self) {
                    try await FoundationTransport().send(request)
                }
                #expect(error?.code == .badServerResponse)
            }
            #expect(server.requests.map(\.path) == ["/", "/"])
        }

        @Test func `A response other than a redirect may have two Locations`() async throws {
            let server = try MockServer { _ in
                .text("hello", status: 201).adding("Location", "/a").adding("Location", "/b")
            }
            defer { server.stop() }
            let response = try await FoundationTransport().send(
                TransportRequest(URLRequest(url: server.url)))
            #expect(response.head.statusCode == 201)
        }
    }
#endif

import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// Catch clauses as callers write them, after a force unwrap or an early exit: with typed throws in
/// the public interface, Swift 6.3 fails to compile these functions ("Found outside of lifetime
/// use?!").
@Suite struct ErrorCatchingTests {
    private func provider(status: Int) -> MoyaProvider<GitHub> {
        MoyaProvider(transport: FixedTransport(status: status))
    }

    private func statusCaught(_ address: String?, _ status: Int) async throws -> String {
        // swift-format-ignore: NeverForceUnwrap
        let page = URL(string: address ?? "http://host.test")!
        do {
            let response = try await provider(status: status).request(.zen)
            return try response.filterSuccessfulStatusCodes().mapString()
        } catch MoyaError.underlying(MoyaError.statusCode(let response), _) {
            return "\(page.path) \(response.statusCode)"
        } catch MoyaError.statusCode(let response) where response.statusCode < 400 {
            return "\(page.path) redirect \(response.statusCode)"
        }
    }

    @Test(arguments: [(200, "answer"), (302, "/a redirect 302"), (404, "/a 404")])
    func `a catch clause for one case of MoyaError catches errors of that case`(
        status: Int, text: String
    ) async throws {
        #expect(try await statusCaught("http://host.test/a", status) == text)
    }

    private func caught(_ text: String?, _ mapping: (Response) throws -> String) throws -> String {
        guard let text else { fatalError("No text.") }
        do {
            return try mapping(Response(text))
        } catch let error as MoyaError {
            return error.localizedDescription
        }
    }

    @Test func `a catch clause for MoyaError catches the error of a mapping`() throws {
        #expect(try caught("a") { try $0.mapString() } == "a")
        #expect(
            try caught("a") { try $0.mapString(atKeyPath: "b") }
                == "Failed to map data to JSON. Response: 200 OK.")
    }

    private func urlCaught(_ url: String?) throws -> String {
        guard let url else { exit(1) }
        do {
            return try Endpoint.test(url: url).urlRequest().url?.absoluteString ?? ""
        } catch  where url.isEmpty {
            return "empty"
        } catch MoyaError.requestMapping(let text) {
            return "not a URL: \(text)"
        }
    }

    @Test(arguments: [("", "empty"), ("a b", "not a URL: a b"), ("http://h.test", "http://h.test")])
    func `a catch clause with a condition may precede a clause for one case of MoyaError`(
        url: String, text: String
    ) throws {
        #expect(try urlCaught(url) == text)
    }
}

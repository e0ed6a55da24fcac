import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

@Suite struct CassetteTraitTests {
    private func played(_ path: String) async throws -> String {
        // Fails if it is called: the cassette has the exchange.
        let network = StubTransport(.failure(.cannotConnectToHost))
        let cassette = try network.cassette()
        return try await cassette.send(.test("GET", "https://api.test\(path)")).text
    }

    @Test(.cassette("greeting")) func `a test plays the cassette beside its source file`()
        async throws
    {
        #expect(try await played("/greeting") == "hello")
    }

    @Test(.cassette("greeting", mode: .none))
    func `a test that only plays fails for an exchange that is not on its cassette`()
        async throws
    {
        await #expect(throws: (any Error).self) { try await played("/other") }
    }

    @Test func `a test without the trait has no cassette`() async throws {
        let error = #expect(throws: MissingCassetteTrait.self) {
            try StubTransport(.response()).cassette()
        }
        #expect(error?.errorDescription?.contains(".cassette(\"name\")") == true)
    }
}

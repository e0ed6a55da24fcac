import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportConformance
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ExceptionTests {
    /// A transport that passes the case about the status 404 and ends the process in all other
    /// cases.
    struct Crashing: Transport {
        let behaviour: TransportConformance.Case

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard behaviour.name == "the status 404 is a response" else {
                fatalError("a case ends the process")
            }
            return try .stub(status: 404, data: Data("body".utf8), for: request)
        }
    }

    @Test func `an excluded conformance case is left out, the other cases stay`() {
        let cases = TransportConformance.cases
        let name = cases[3].name
        let left = cases.excluding([name: "The transport does not do that."])
        #expect(left.map(\.name) == cases.map(\.name).filter { $0 != name })
    }

    @Test func `an excluded conformance case that does not exist is a case that fails`() async {
        let cases = TransportConformance.cases.excluding(["no such case": "A reason."])
        #expect(cases.count == TransportConformance.cases.count + 1)
        let error = await #expect(throws: TransportConformance.Failure.self) {
            let last = try #require(cases.last)
            try await last.run(on: Crashing(behaviour: last))
        }
        #expect(error?.description.contains("“no such case”") == true)
    }

    @Test func `a conformance case is coded as its name`() throws {
        let cases = TransportConformance.cases + TransportConformance.loadCases
        let data = try JSONEncoder().encode(cases)
        #expect(try JSONDecoder().decode([String].self, from: data) == cases.map(\.name))
        #expect(
            try JSONDecoder().decode([TransportConformance.Case].self, from: data).map(\.name)
                == cases.map(\.name))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                TransportConformance.Case.self, from: Data(#""no such case""#.utf8))
        }
    }

    #if compiler(>=6.3) && (os(Linux) || os(macOS))
        @Test(
            arguments: TransportConformance.cases.filter { $0.name.hasPrefix("the status ") })
        func `A conformance case passes in its own process while other cases end their processes`(
            behaviour: TransportConformance.Case
        ) async {
            if behaviour.name.contains("404") {
                await #expect(processExitsWith: .success) { [behaviour] in
                    try await behaviour.run(on: Crashing(behaviour: behaviour))
                }
            } else {
                let result = await #expect(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) { [behaviour] in
                    try await behaviour.run(on: Crashing(behaviour: behaviour))
                }
                let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
                #expect(output.contains("a case ends the process"))
            }
        }
    #endif
}

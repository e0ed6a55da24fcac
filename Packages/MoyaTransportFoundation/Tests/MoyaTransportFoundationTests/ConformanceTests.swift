import MoyaTransportConformance
import MoyaTransportFoundation
import Testing

@Suite struct ConformanceTests {
    #if os(Linux)
        /// What FoundationNetworking cannot do. The README says the same.
        static let impossible: Set = [
            // It throws the body of any redirect away.
            "a redirect without a Location is the response",
            // It ends the process on both: see FatalResponseTests.
            "a head that ends early is a lost connection",
            "a chunked body with chunk extensions is decoded",
        ]
    #else
        static let impossible: Set<String> = []
    #endif

    static let cases = (TransportConformance.cases + TransportConformance.loadCases).filter {
        !impossible.contains($0.name)
    }

    @Test(arguments: cases)
    func `FoundationTransport passes the conformance case`(behaviour: TransportConformance.Case)
        async throws
    {
        try await behaviour.run(on: FoundationTransport())
    }

    @Test func `the list of impossible conformance cases names existing cases`() {
        #expect(
            Self.cases.count + Self.impossible.count == TransportConformance.cases.count
                + TransportConformance.loadCases.count)
    }
}

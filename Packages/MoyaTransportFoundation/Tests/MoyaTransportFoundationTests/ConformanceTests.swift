import MoyaTransportConformance
import MoyaTransportFoundation
import Testing

@Suite struct ConformanceTests {
    #if os(Linux)
        /// Conformance cases that FoundationNetworking cannot pass. The README lists them too.
        static let exceptions = [
            "a redirect without a Location is the response":
                "It throws the body of any redirect away.",
            "a head that ends early is a lost connection":
                "It ends the process: see FatalResponseTests.",
            "a chunked body with chunk extensions is decoded":
                "It ends the process: see FatalResponseTests.",
        ]
    #else
        static let exceptions: [String: String] = [:]
    #endif

    static let cases = (TransportConformance.cases + TransportConformance.loadCases).excluding(
        exceptions)

    @Test(arguments: cases)
    func `FoundationTransport passes the conformance case`(behaviour: TransportConformance.Case)
        async throws
    {
        try await behaviour.run(on: FoundationTransport())
    }
}

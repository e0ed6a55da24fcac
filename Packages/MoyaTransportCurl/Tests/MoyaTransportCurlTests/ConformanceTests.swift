import MoyaTransportConformance
import MoyaTransportCurl
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: TransportConformance.cases + TransportConformance.loadCases)
    func `CurlTransport passes the conformance case`(behaviour: TransportConformance.Case)
        async throws
    {
        try await behaviour.run(on: CurlTransport())
    }

    /// Runs all cases on one transport, so that state left by one request would affect another.
    @Test func `one CurlTransport passes all conformance cases in sequence`() async throws {
        let transport = CurlTransport()
        for behaviour in TransportConformance.cases { try await behaviour.run(on: transport) }
    }
}

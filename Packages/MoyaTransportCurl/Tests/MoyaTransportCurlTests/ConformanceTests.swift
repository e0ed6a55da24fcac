import MoyaTesting
import MoyaTransportCurl
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: TransportConformance.cases + TransportConformance.loadCases)
    func `behaves as a transport has to`(behaviour: TransportConformance.Case) async throws {
        try await behaviour.run(on: CurlTransport())
    }

    /// All of them over one transport: nothing of one request may reach another.
    @Test func `behaves so on one transport as well`() async throws {
        let transport = CurlTransport()
        for behaviour in TransportConformance.cases { try await behaviour.run(on: transport) }
    }
}

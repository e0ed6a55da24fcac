import MoyaTesting
import MoyaTransportCurl
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: TransportConformance.cases)
    func `behaves as a transport has to`(behaviour: TransportConformance.Case) async throws {
        try await behaviour.run(on: CurlTransport())
    }
}

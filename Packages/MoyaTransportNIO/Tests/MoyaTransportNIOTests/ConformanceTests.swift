#if AsyncHTTPClient
    import MoyaTransportConformance
    import MoyaTransportNIO
    import Testing

    @Suite struct ConformanceTests {
        @Test(arguments: TransportConformance.cases + TransportConformance.loadCases)
        func `HTTPClientTransport passes the conformance case`(
            behaviour: TransportConformance.Case
        ) async throws {
            try await behaviour.run(on: HTTPClientTransport(), foldingFields: false)
        }

        /// All cases run on one transport, so that a request cannot affect another through shared
        /// state.
        @Test func `one HTTPClientTransport passes all conformance cases in sequence`() async throws
        {
            let transport = HTTPClientTransport()
            for behaviour in TransportConformance.cases {
                try await behaviour.run(on: transport, foldingFields: false)
            }
        }
    }
#endif

#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTesting
    import MoyaTransportConformance
    import Testing

    @Suite struct SecureConformanceSelfTests {
        /// A transport that never sends a request.
        struct Wrong: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                try .stub(status: 200, data: Data("always the same".utf8), for: request)
            }
        }

        @Test func `a transport that makes up its responses passes no secure conformance case`()
            async
        {
            var passed: [String] = []
            // Skips the case about cancellation, which would wait long for a request.
            let cases = TransportConformance.secureCases.filter { !$0.name.contains("cancelled") }
            #expect(cases.count >= 30)
            for behaviour in cases {
                if (try? await behaviour.run { _ in Wrong() }) != nil {
                    passed.append(behaviour.name)
                }
            }
            #expect(passed == [])
        }

        @Test func `every secure conformance case has a unique name`() {
            let names = TransportConformance.secureCases.map(\.name)
            #expect(Set(names).count == names.count)
            #expect(names.count >= 40)
        }
    }
#endif

#if !AsyncHTTPClient
    import Foundation
    import MoyaCore

    @available(
        *, unavailable,
        message:
            "Turn on the trait AsyncHTTPClient: .package(url: …, traits: [\"AsyncHTTPClient\"])"
    )
    public struct HTTPClientTransport: Transport {
        public static var defaultConfiguration: Any { () }

        public init(sharing client: Any) {}

        public init(configuration: Any = defaultConfiguration, eventLoopGroup: Any? = nil) {}

        public func shutdown() async {}

        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw URLError(.unsupportedURL)
        }
    }
#endif

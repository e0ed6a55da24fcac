#if !AsyncHTTPClient
    import Foundation
    import MoyaCore

    /// Stand-in for the transport without the trait `AsyncHTTPClient`. Using it is a compile error
    /// that names the trait.
    @available(
        *, unavailable,
        message:
            "Turn on the trait AsyncHTTPClient: .package(url: …, traits: [\"AsyncHTTPClient\"])"
    )
    public struct HTTPClientTransport: ClosableTransport {
        public static var defaultConfiguration: Any { () }

        public init(sharing client: Any) {}

        public init(configuration: Any = defaultConfiguration, eventLoopGroup: Any? = nil) {}

        public func shutdown() async {}

        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw URLError(.unsupportedURL)
        }
    }
#endif

#if !MockServer
    import Foundation

    @available(
        *, unavailable,
        message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
    )
    public struct NIOMockServer {
        public struct Configuration {
            public struct TLS {
                public init(_ certificate: Certificate = .valid) {}
            }

            public enum Certificate {
                case valid, expired, notYetValid, otherHost, commonName, unknownAuthority
                case selfSigned
            }

            public init(tls: TLS? = nil) {}
        }

        public init(
            _ configuration: Configuration = Configuration(), delivery: MockDelivery? = nil,
            handler: @escaping RecordingServer.Handler = MockServer.httpbin
        ) throws { throw CocoaError(.featureUnsupported) }
    }

    @available(
        *, unavailable,
        message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
    )
    public enum MockAuthority {}

    @available(
        *, unavailable,
        message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
    )
    public enum MockFault {}

    @available(
        *, unavailable,
        message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
    )
    public enum MockIdentity {}
#endif

// Members of URLSession's types that are declared on Apple's platforms alone, for the names that
// the sources use: developer.apple.com/documentation/foundation/NAME. Each file of the sources
// imports this module without a line of its own, as Foundation has these members there.
@_exported import CoreFoundationTypes
@_exported import FoundationURLLoading
import Foundation
import Security

/// …/nsurlauthenticationmethodclientcertificate
public let NSURLAuthenticationMethodClientCertificate =
    "NSURLAuthenticationMethodClientCertificate"

extension URLRequest {
    /// …/urlrequest/allowsexpensivenetworkaccess
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    /// …/urlrequest/allowsconstrainednetworkaccess
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
    /// …/urlrequest/assumeshttp3capable
    @available(macOS 11.3, iOS 14.5, tvOS 14.5, watchOS 7.4, visionOS 1.0, *)
    public var assumesHTTP3Capable: Bool {
        get { true }
        set {}
    }
}

extension URLSessionConfiguration {
    /// …/urlsessionconfiguration/background(withidentifier:)
    @available(macOS 10.10, iOS 8.0, *)
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        fatalError()
    }
    /// …/urlsessionconfiguration/sessionsendslaunchevents
    @available(macOS 11.0, iOS 7.0, tvOS 9.0, watchOS 2.0, visionOS 1.0, *)
    public var sessionSendsLaunchEvents: Bool {
        get { true }
        set {}
    }
    /// …/urlsessionconfiguration/waitsforconnectivity
    @available(macOS 10.13, iOS 11.0, tvOS 11.0, watchOS 4.0, visionOS 1.0, *)
    public var waitsForConnectivity: Bool {
        get { true }
        set {}
    }
    /// …/urlsessionconfiguration/tlsminimumsupportedprotocolversion
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
    public var tlsMinimumSupportedProtocolVersion: Security.tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

extension URLSessionTaskTransactionMetrics {
    /// …/urlsessiontasktransactionmetrics/negotiatedtlsprotocolversion-…
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
    public var negotiatedTLSProtocolVersion: Security.tls_protocol_version_t? { nil }
}

extension URLProtectionSpace {
    /// …/urlprotectionspace/servertrust
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    /// …/urlcredential/init(trust:)
    public convenience init(trust: SecTrust) { fatalError() }
    /// …/urlcredential/init(identity:certificates:persistence:)
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?,
        persistence: URLCredential.Persistence
    ) { fatalError() }
}

import Foundation
import MoyaInternals

/// Evaluates a server's certificates. Named as in Alamofire, with the same meaning on every
/// transport.
///
/// Evaluation has two steps: the TLS library validates what ``validation`` specifies, then
/// ``evaluate(_:forHost:)`` receives the certificates. A request is sent only after both succeed.
public protocol ServerTrustEvaluating: Sendable {
    /// The validation by the TLS library.
    var validation: TrustValidation { get }

    /// Evaluates the certificates that the TLS library has verified: the server's certificate,
    /// whose private key the server has proved to hold, then the certificates of its chain to a
    /// root. Other certificates that the server sent are excluded, because any server can send any
    /// certificate.
    ///
    /// `certificates` contains only the server's certificate if ``TrustValidation/validatesChain``
    /// is `false` or the transport does not provide the chain.
    ///
    /// Must not block, because other requests may wait for the thread.
    ///
    /// - Throws: The reason why the certificates are not trusted for `host`. The request fails with
    ///   `URLError(.serverCertificateUntrusted)` with this error as its cause.
    func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws
}

/// The TLS library's validation of a server's certificates.
public struct TrustValidation: Sendable, Hashable {
    /// Whether a chain of currently valid certificates has to lead to a trusted root.
    public var validatesChain: Bool
    /// Whether the certificate has to match the host.
    public var validatesHost: Bool
    /// Trusted roots. `nil` is the transport's roots; an empty list trusts no server.
    public var anchors: [ServerCertificate]?
    /// Whether the server has to prove that the certificate has not been revoked.
    public var checksRevocation: Bool

    /// Creates a validation. By default the chain is validated against the transport's roots, the
    /// host is checked, and revocation is not.
    public init(
        validatesChain: Bool = true, validatesHost: Bool = true,
        anchors: [ServerCertificate]? = nil, checksRevocation: Bool = false
    ) {
        self.validatesChain = validatesChain
        self.validatesHost = validatesHost
        self.anchors = anchors
        self.checksRevocation = checksRevocation
    }
}

extension TrustValidation {
    /// Returns the verified certificates. Without a validated chain, only the first is known to
    /// belong to the server.
    func proven(of certificates: [ServerCertificate]) -> ArraySlice<ServerCertificate> {
        validatesChain ? certificates[...] : certificates.prefix(1)
    }
}

/// The reason why a certificate is not trusted.
public struct ServerTrustError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible
{
    /// The reason, as a sentence.
    public let description: String
    public var errorDescription: String? { description }

    /// Creates an error, for custom evaluators.
    ///
    /// - Parameter description: The reason, as a sentence.
    public init(_ description: String) {
        self.description = description
    }
}

/// Selects the trust evaluator of a host. Named as in Alamofire.
///
/// ```swift
/// let manager = ServerTrustManager(evaluators: [
///     "example.com": PinnedCertificatesTrustEvaluator(certificates: certificates),
///     "*.example.org": PublicKeysTrustEvaluator(keys: keys),
/// ])
/// ```
public final class ServerTrustManager: Sendable {
    /// Whether a host without an evaluator is rejected. Otherwise the transport applies its default
    /// validation.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators by canonical host: lower case, without the trailing dot. `*.example.com`
    /// matches one label before `example.com`. An exact match takes precedence.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is rejected.
    ///   - evaluators: The evaluators by host, in any notation. If two keys denote the same host,
    ///     which one is used is undefined.
    public init(
        allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]
    ) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = Dictionary(
            evaluators.map { (HostName.canonical($0), $1) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the evaluator for `host`. `nil` leaves the evaluation to the transport.
    ///
    /// - Throws: ``ServerTrustError`` if an evaluator is required and missing.
    public func serverTrustEvaluator(
        forHost host: String
    ) throws -> (any ServerTrustEvaluating)? {
        if let evaluator = HostName.find(host, in: evaluators) { return evaluator }
        guard !allHostsMustBeEvaluated else {
            throw ServerTrustError(
                "The ServerTrustManager has no evaluator for \(host). Add one, or pass "
                    + "allHostsMustBeEvaluated: false for the default validation of such hosts.")
        }
        return nil
    }
}

extension ServerTrustManager: Equatable {
    /// Returns whether both are the same instance.
    public static func == (lhs: ServerTrustManager, rhs: ServerTrustManager) -> Bool {
        lhs === rhs
    }
}

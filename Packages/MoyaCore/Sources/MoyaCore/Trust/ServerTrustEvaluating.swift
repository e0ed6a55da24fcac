import Foundation
import MoyaInternals

/// Judges the certificates of a server. By Alamofire's name, and the same on every transport.
///
/// It works in two steps: the TLS library checks what ``validation`` asks for, and then ``evaluate(_:forHost:)``
/// sees the certificates. Nothing of a request is sent before both have passed.
public protocol ServerTrustEvaluating: Sendable {
    /// What the TLS library has to check.
    var validation: TrustValidation { get }

    /// Looks at `certificates`, those the TLS library has verified: the server's own first, whose key it has
    /// proved to hold, then those that lead from it to a root. What a server shows besides is not among them:
    /// any server may show any certificates.
    ///
    /// The server's own stands alone where ``TrustValidation/validatesChain`` is `false`, and where the
    /// transport cannot learn of the others.
    ///
    /// Must not block: other exchanges may wait for it.
    ///
    /// - Throws: Why they are not to be trusted for `host`. The exchange then fails with
    ///   `URLError(.serverCertificateUntrusted)`, with this error inside.
    func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws
}

/// What a TLS library checks of a server's certificates.
public struct TrustValidation: Sendable, Hashable {
    /// Whether a chain has to lead to a root that is trusted, with every date in order.
    public var validatesChain: Bool
    /// Whether the certificate has to be for the host.
    public var validatesHost: Bool
    /// Roots that are trusted in place of the transport's own. `nil` leaves those, and an empty list trusts no server.
    public var anchors: [ServerCertificate]?
    /// Whether the server has to prove that the certificate has not been revoked.
    public var checksRevocation: Bool

    /// Unless you say otherwise, the chain and the host are checked, against the transport's own roots, and
    /// revocation is not.
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
    /// Those of `certificates` that mean something: without a chain that was validated, only the first is
    /// known to be the server's.
    func proven(of certificates: [ServerCertificate]) -> ArraySlice<ServerCertificate> {
        validatesChain ? certificates[...] : certificates.prefix(1)
    }
}

/// Why a certificate is not to be trusted.
public struct ServerTrustError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible
{
    /// Why, in a sentence.
    public let description: String
    public var errorDescription: String? { description }

    /// For evaluators of your own.
    ///
    /// - Parameter description: Why, in a sentence.
    public init(_ description: String) {
        self.description = description
    }
}

/// Says who judges the certificates of which host. By Alamofire's name.
///
/// ```swift
/// let manager = ServerTrustManager(evaluators: [
///     "example.com": PinnedCertificatesTrustEvaluator(certificates: certificates),
///     "*.example.org": PublicKeysTrustEvaluator(keys: keys),
/// ])
/// ```
public final class ServerTrustManager: Sendable {
    /// Whether a host without an evaluator is refused. Otherwise the transport judges it as it does without
    /// a manager.
    public let allHostsMustBeEvaluated: Bool
    /// Who judges, by host in its usual form: lower case, without the dot of the root. `*.example.com` stands for
    /// one label before `example.com`; a host's own entry counts before it.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is refused.
    ///   - evaluators: Who judges, by host, however it is written. Name each host once: of two ways to write it,
    ///     either may count.
    public init(
        allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]
    ) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = Dictionary(
            evaluators.map { (HostName.canonical($0), $1) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// The evaluator for `host`. `nil` leaves it to the transport.
    ///
    /// - Throws: ``ServerTrustError`` where there has to be one and is none.
    public func serverTrustEvaluator(
        forHost host: String
    ) throws -> (any ServerTrustEvaluating)? {
        if let evaluator = HostName.find(host, in: evaluators) { return evaluator }
        guard !allHostsMustBeEvaluated else {
            throw ServerTrustError(
                "No evaluator is there for \(host). Add one to the ServerTrustManager, or let hosts "
                    + "without one pass with allHostsMustBeEvaluated: false.")
        }
        return nil
    }
}

extension ServerTrustManager: Equatable {
    /// Whether both are the same manager.
    public static func == (lhs: ServerTrustManager, rhs: ServerTrustManager) -> Bool {
        lhs === rhs
    }
}

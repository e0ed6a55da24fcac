#if CURL
import CMoyaCurl
import MoyaCore

/// The evaluation of a server's certificates by the app, for servers with a valid certificate that
/// the app does not expect. libcurl validates it during the handshake, and the evaluator judges it
/// before a request is written.
final class ServerTrustCheck {
    private let evaluator: any ServerTrustEvaluating
    /// The checks that the evaluator requires of libcurl.
    let validation: TrustValidation

    /// Returns `nil` if `manager` has no evaluator for the host of `url`.
    ///
    /// - Throws: `URLError(.serverCertificateUntrusted)` if it requires one.
    init?(_ manager: ServerTrustManager, for url: URL?) throws(URLError) {
        do {
            guard let evaluator = try manager.serverTrustEvaluator(forHost: url?.host ?? "") else {
                return nil
            }
            self.evaluator = evaluator
            validation = evaluator.validation
        } catch {
            throw URLError(.serverCertificateUntrusted, "\(error)", url: url, cause: error)
        }
    }

    /// The reason to refuse the connection between `endpoints`. Evaluates its certificates if
    /// `attempt` has opened it.
    func refusal(of endpoints: ConnectionEndpoints, for attempt: Attempt) -> (any Error)? {
        guard let host = attempt.url?.host?.lowercased() else { return nil }
        let (handle, url) = (attempt.handle, attempt.url)
        let context = handle.context
        let connection = TrustedConnection(host: host, endpoints: endpoints)
        if context.evaluated.isTrusted(connection) { return nil }
        // libcurl holds the certificates of the connection that this attempt opened last.
        let socket = context.evaluated.sockets(madeBy: handle).first {
            ConnectionEndpoints.Address(localAddressOf: $0)?.port == endpoints.local.port
        }
        let isOwn = handle.hasSeparateConnection && handle.easy.long(CURLINFO_NUM_CONNECTS) > 0
        guard socket != nil || isOwn else {
            guard attempt.transfer.repeats.unevaluatedCount >= 3 else {
                return Restart.unevaluatedConnection
            }
            let text = "Each connection for the request was one of another, not judged yet."
            return URLError(.secureConnectionFailed, text, url: url)
        }
        do {
            let checksHost = handle.profile?.trust.checksHost == true
            if checksHost, CommonNames.isAll(in: handle.easy) {
                throw ServerTrustError(CommonNames.advice)
            }
            let isVerified = validation.validatesChain && handle.profile?.trust.isVerified == true
            try evaluator.evaluate(
                Self.certificates(of: handle.easy, verified: isVerified), forHost: host)
            if let socket { context.evaluated.trust(connection, on: socket) }
            return nil
        } catch {
            // A connection without a known socket carries no other transfer, and is closed at its
            // end anyway.
            handle.closeConnectionAtEnd(orShutDown: socket)
            return URLError(
                .serverCertificateUntrusted,
                "The server's certificate is not trusted: \(error)", url: url, cause: error)
        }
    }

    /// The server's certificate, followed by its verified chain if that was requested.
    ///
    /// Other certificates that the server has sent are not returned, because they prove nothing:
    /// anyone can copy them.
    private static func certificates(of easy: EasyHandle, verified: Bool) -> [ServerCertificate] {
        if verified, let chain = OpenSSL.installed?.verifiedChain(of: easy) { return chain }
        return shownCertificate(of: easy).map { [$0] } ?? []
    }

    /// The first certificate that the server sent in the handshake.
    private static func shownCertificate(of easy: EasyHandle) -> ServerCertificate? {
        let info = easy.pointer(CURLINFO_CERTINFO)
        guard let chain = info?.assumingMemoryBound(to: curl_certinfo.self).pointee,
            chain.num_of_certs > 0
        else { return nil }
        let text = CurlLibrary.texts(of: chain.certinfo?[0]).first { $0.hasPrefix("Cert:") }
        return text.flatMap { try? ServerCertificate.certificates(pem: Data($0.utf8)).first }
    }
}

/// A connection whose certificates an evaluator has accepted for `host`.
struct TrustedConnection: Equatable {
    let host: String
    let endpoints: ConnectionEndpoints
}

/// Keeps requests off connections whose certificates have not been evaluated for their host: holds
/// the sockets whose certificates have been accepted, or are being evaluated. Empty without
/// evaluators.
struct EvaluatedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// Records a new socket. `maker` is the handle whose transfer has an evaluator, or `nil`.
    mutating func open(_ socket: curl_socket_t, by maker: AnyObject?) {
        // libcurl closes the socket that loses a race between addresses without a callback, so the
        // number may be reused.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// The transfer of `maker` has ended. Its next certificates belong to another connection.
    mutating func forget(_ maker: AnyObject) {
        let maker = ObjectIdentifier(maker)
        makers = makers.filter { $0.value != maker }
    }

    func isTrusted(_ connection: TrustedConnection) -> Bool {
        trusted.contains { $0.value == connection }
    }

    mutating func trust(_ connection: TrustedConnection, on socket: curl_socket_t) {
        makers[socket] = nil
        trusted[socket] = connection
    }

    /// The open sockets that `maker` has opened for its transfer, and whose certificates have not
    /// been accepted.
    func sockets(madeBy maker: AnyObject) -> [curl_socket_t] {
        let maker = ObjectIdentifier(maker)
        return makers.filter { $0.value == maker }.map(\.key)
    }
}
#endif

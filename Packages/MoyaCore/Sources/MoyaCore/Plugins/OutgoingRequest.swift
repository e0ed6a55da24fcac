import Foundation
import MoyaInternals

/// The request that plugins receive in `willSend`. Stores the credential that they provide.
final class OutgoingRequest: RequestType {
    let request: URLRequest?
    private let transport: any Transport
    private let chosenCredential = Locked<URLCredential?>(nil)

    init(_ request: URLRequest, over transport: any Transport) {
        self.request = request
        self.transport = transport
    }

    /// The last credential that a plugin provided.
    var credential: URLCredential? { chosenCredential.withLock { $0 } }

    var sessionHeaders: [String: String] { transport.sessionHeaders }

    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> Self {
        authenticate(
            with: URLCredential(user: username, password: password, persistence: persistence))
    }

    func authenticate(with credential: URLCredential) -> Self {
        chosenCredential.withLock { $0 = credential }
        return self
    }

    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        cURLDescription(redaction: .default, calling: handler)
    }

    func cURLDescription(
        redaction: Redaction, calling handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        if let request { handler("$ \(request.cURLDescription(redaction: redaction))") }
        return self
    }
}

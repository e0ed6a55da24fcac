import Foundation
import MoyaInternals

/// Responds to a server's authentication challenge (RFC 9110, section 11) with the request's
/// credential.
///
/// Credentials are sent only after a challenge. They apply to one request and are not stored.
struct Authenticator {
    private let request: TransportRequest
    private let user: String
    private let password: String
    private let nonces: DigestNonces
    private var hasAnswered = false
    private var isRenewed = false

    /// Returns `nil` for a request without a credential or with an `Authorization` field.
    init?(_ request: TransportRequest, _ nonces: DigestNonces) {
        guard let user = request.credential?.user,
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil
        else { return nil }
        self.request = request
        self.user = user
        self.nonces = nonces
        password = request.credential?.password ?? ""
    }

    /// Returns the request with an answer to a challenge of `response`. Returns `nil` if no
    /// challenge is supported, or if the server rejected an answer.
    mutating func answer(_ response: TransportResponse) -> TransportRequest? {
        guard response.head.statusCode == 401 else { return nil }
        let challenges = response.head.values(for: "WWW-Authenticate").flatMap(Challenge.parse)
        let digest = challenges.compactMap(DigestAuthentication.init)
            .max { $0.algorithm < $1.algorithm }
        guard mayAnswer(digest) else { return nil }

        let field: String?
        if let digest {
            field = answer(digest)
        } else if challenges.contains(where: { $0.scheme == "basic" }) {
            field = BasicAuthentication.answer(user: user, password: password)
        } else {
            field = nil
        }
        guard let field else { return nil }
        var retry = request
        retry.urlRequest.setValue(field, forHTTPHeaderField: "Authorization")
        return retry
    }

    /// Permits one answer, and a second one if the server rejected only the age of the nonce.
    private mutating func mayAnswer(_ digest: DigestAuthentication?) -> Bool {
        guard hasAnswered else {
            hasAnswered = true
            return true
        }
        guard digest?.isStale == true, !isRenewed else { return false }
        isRenewed = true
        return true
    }

    private func answer(_ digest: DigestAuthentication) -> String? {
        guard let url = request.urlRequest.url else { return nil }
        return digest.answer(
            user: user, password: password, method: request.urlRequest.httpMethod ?? "GET",
            target: url.requestTarget, count: nonces.next(for: digest.nonce),
            clientNonce: RandomID.hexadecimal())
    }
}

extension URL {
    /// The path and query, without dot segments and never empty.
    fileprivate var requestTarget: String {
        let components = URLComponents(url: standardized, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }
}

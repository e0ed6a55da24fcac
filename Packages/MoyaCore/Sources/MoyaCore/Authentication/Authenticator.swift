import Foundation

/// Answers a server that asks who sends a request (RFC 9110, section 11), with the request's own credential.
///
/// Nothing is sent before the server asks: an answer goes with one request, and is not kept.
struct Authenticator {
    private let request: TransportRequest
    private let user: String
    private let password: String
    private let nonces: DigestNonces
    private var hasAnswered = false
    private var isRenewed = false

    /// `nil` for a request that has no credential, or has its answer in it.
    init?(_ request: TransportRequest, _ nonces: DigestNonces) {
        guard let user = request.credential?.user,
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil
        else { return nil }
        self.request = request
        self.user = user
        self.nonces = nonces
        password = request.credential?.password ?? ""
    }

    /// The request with an answer to what `response` asks for. `nil` where it asks for nothing that can be answered,
    /// or has had its answer.
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

    /// Once, and once more where all that was wrong is the age of the nonce.
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
            clientNonce: UUID().uuidString.filter { $0 != "-" })
    }
}

extension URL {
    /// The path and query, without the segments `.` and `..`, and never empty.
    fileprivate var requestTarget: String {
        let components = URLComponents(url: standardized, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }
}

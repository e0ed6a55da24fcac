import Foundation
import MoyaInternals

/// Responds to a server's authentication challenges (RFC 9110, section 11) to one request with the
/// request's credential, and before a challenge if the cache knows what the server requires.
struct Authenticator {
    private let request: TransportRequest
    private let url: URL
    private let user: String
    private let password: String
    private let key: ProtectionSpaces.Key
    private let cache: AuthenticationCache
    /// The requirement that the last sent request meets. `nil` if it is unknown.
    private var requirement: ProtectionSpaces.Requirement?
    /// The `Authorization` field of the last sent request.
    private var sent: String?
    private var hasAnswered = false
    private var isRenewed = false

    /// Returns `nil` for a request without a credential or with an `Authorization` field.
    init?(_ request: TransportRequest, _ cache: AuthenticationCache) {
        guard let user = request.credential?.user, let url = request.urlRequest.url,
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil
        else { return nil }
        self.request = request
        self.url = url
        self.user = user
        self.cache = cache
        password = request.credential?.password ?? ""
        key = ProtectionSpaces.Key(url, user: user, password: password)
        requirement = cache.requirement(of: key)
    }

    /// Returns the request to send first: with an answer to a challenge that the server is expected
    /// to make.
    mutating func first() -> TransportRequest {
        var first = request
        switch requirement {
        case .nothing: break
        case .basic: first = answerBasic() ?? request
        case .digest(let digest) where digest.mayAnswer(for: request.body):
            first = answer(digest)
            ask(&first)
        case .digest, nil: ask(&first)
        }
        return first
    }

    /// Whether the server can respond before the body is sent.
    private var mayAsk: Bool { cache.asksFirst && request.body.hasBytes }

    /// Has the server respond before the body of `request` is sent: it may reject the credential or
    /// the nonce.
    private func ask(_ request: inout TransportRequest) {
        guard mayAsk, request.urlRequest.value(forHTTPHeaderField: "Expect") == nil else { return }
        request.urlRequest.setValue("100-continue", forHTTPHeaderField: "Expect")
    }

    /// Returns the request with an answer to a challenge of `response`. Returns `nil` if no
    /// challenge is supported, or if the server rejected an answer.
    mutating func answer(_ response: TransportResponse) -> TransportRequest? {
        guard response.head.statusCode == 401 else {
            note(response.head.statusCode)
            return nil
        }
        cache.set(nil, for: key)
        let challenges = response.head.values(for: "WWW-Authenticate").flatMap(Challenge.parse)
        let digest = challenges.compactMap(DigestAuthentication.init)
            .filter { cache.schemes.contains(.digest) && $0.mayAnswer(for: request.body) }
            .max { $0.algorithm < $1.algorithm }
        guard mayAnswer(digest) else { return nil }
        if let digest {
            requirement = .digest(digest)
            var retry = answer(digest)
            ask(&retry)
            return retry
        }
        guard cache.schemes.contains(.basic), challenges.contains(where: { $0.scheme == "basic" })
        else { return nil }
        requirement = .basic
        let rejected = sent
        guard var retry = answerBasic(), sent != rejected else { return nil }
        ask(&retry)
        return retry
    }

    /// The exchange has failed. The reason may be that the body was sent at once, and the server
    /// now requires the credential or rejects it: the next request asks first.
    func noteFailure() {
        if mayAsk { cache.set(nil, for: key) }
    }

    /// Stores what the server requires, after a response that shows it.
    private func note(_ statusCode: Int) {
        if hasAnswered {
            cache.set(requirement, for: key)
        } else if requirement == nil, mayAsk, (200..<400).contains(statusCode) {
            // A folder often has public content that only some users may change.
            cache.set(.nothing, for: key)
        }
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

    private mutating func answerBasic() -> TransportRequest? {
        sent = BasicAuthentication.answer(user: user, password: password)
        return sent.map { authorizing(request, $0) }
    }

    private mutating func answer(_ digest: DigestAuthentication) -> TransportRequest {
        let field = digest.answer(
            user: user, password: password, method: request.urlRequest.httpMethod ?? "GET",
            target: url.requestTarget, body: request.body,
            count: cache.nextCount(of: digest.nonce),
            clientNonce: RandomID.hexadecimal())
        sent = field
        var answer = authorizing(request, field)
        // The answer covers the target without dot segments.
        answer.urlRequest.url = url.resolvingDotSegments
        return answer
    }

    private func authorizing(_ request: TransportRequest, _ field: String) -> TransportRequest {
        var request = request
        request.urlRequest.setValue(field, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension URL {
    /// The path and query, without dot segments and never empty.
    var requestTarget: String {
        let components = URLComponents(url: resolvingDotSegments, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }
}

extension RequestBody {
    /// Whether the body may have bytes.
    fileprivate var hasBytes: Bool {
        switch self {
        case .none: false
        case .data(let data): !data.isEmpty
        case .file: true
        case .stream(let stream): stream.length != 0
        }
    }
}

import Foundation

// RFC 9110, section 4.2.4 has no user name and password in the URLs of requests. HTTP libraries that find some
// there send them before a server has asked for them.

extension TransportRequest {
    /// This request with the user name and password of its URL as its credential. One it has already
    /// goes before them.
    @usableFromInline
    func takingUserInfo() -> TransportRequest {
        guard let url = urlRequest.url, url.hasUserInfo else { return self }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        var request = self
        request.urlRequest.url = url.withoutUserInfo
        if credential == nil, let user = components?.user {
            request.credential = URLCredential(
                user: user, password: components?.password ?? "", persistence: .none)
        }
        return request
    }
}

import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Basic authentication (RFC 7617). URLSession's own way to answer a challenge ends the process on
/// some platforms.
enum BasicAuthentication {
    /// The request with its credential in it, if `response` asks for it.
    static func retry(
        of request: TransportRequest, after response: TransportResponse
    ) -> TransportRequest? {
        guard response.head.statusCode == 401,
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil,
            let user = request.credential?.user, !user.contains(":"),
            response.head.values(for: "WWW-Authenticate").contains(where: offersBasic)
        else { return nil }
        let secret = Data("\(user):\(request.credential?.password ?? "")".utf8)
        var retry = request
        retry.urlRequest.setValue(
            "Basic \(secret.base64EncodedString())", forHTTPHeaderField: "Authorization")
        return retry
    }

    /// Whether one of the challenges in a field is a Basic one (RFC 9110, section 11.6.1).
    private static func offersBasic(_ challenges: String) -> Bool {
        challenges.split(separator: ",").contains { challenge in
            let scheme = challenge.drop { $0 == " " }.prefix { $0 != " " && $0 != "=" }
            return scheme.lowercased() == "basic"
        }
    }
}

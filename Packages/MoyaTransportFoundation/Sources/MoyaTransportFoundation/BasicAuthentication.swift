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
            response.head.values(for: "WWW-Authenticate")
                .contains(where: { schemes(in: $0).contains("basic") })
        else { return nil }
        let secret = Data("\(user):\(request.credential?.password ?? "")".utf8)
        var retry = request
        retry.urlRequest.setValue(
            "Basic \(secret.base64EncodedString())", forHTTPHeaderField: "Authorization")
        return retry
    }

    /// The schemes of the challenges in a field, in lower case (RFC 9110, section 11.6.1).
    static func schemes(in field: String) -> [String] {
        pieces(of: field).compactMap { piece in
            let token = piece.prefix { !" \t=\"".contains($0) }
            let rest = piece.dropFirst(token.count).drop { $0 == " " || $0 == "\t" }
            // `name=value` is a parameter of the challenge before it.
            return token.isEmpty || rest.first == "=" ? nil : token.lowercased()
        }
    }

    /// What stands between the commas, those in quotes excepted.
    private static func pieces(of field: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return field.split { character in
            if isEscaped {
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == "\\" {
                isEscaped = isQuoted
            }
            return character == "," && !isQuoted
        }
        .map { $0.drop { $0 == " " || $0 == "\t" } }
    }
}

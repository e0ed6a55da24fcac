import Foundation
import MoyaCore
import MoyaStubs

extension MockServer {
    static func basicAuthentication(
        _ request: MockRequest, user: String, password: String
    ) -> MockResponse {
        let expected = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        guard request.value(for: "Authorization") == expected else {
            return .text("Who are you?", status: 401)
                .adding("WWW-Authenticate", "Basic realm=\"mock\", charset=\"UTF-8\"")
        }
        return .json(["authenticated": true, "user": .string(user)] as JSONValue)
    }

    static func bearerAuthentication(_ request: MockRequest) -> MockResponse {
        let words = request.value(for: "Authorization")?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            return .text("Who are you?", status: 401).adding("WWW-Authenticate", "Bearer")
        }
        return .json(["authenticated": true, "token": .string(String(words[1]))] as JSONValue)
    }

    /// Returns the pairs of the `Cookie` field (RFC 6265, section 4.2).
    static func cookies(of request: MockRequest) -> [String: String] {
        let pairs = request.value(for: "Cookie")?.split(separator: ";") ?? []
        return pairs.reduce(into: [:]) { cookies, pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first?.trimmingCharacters(in: .whitespaces) else { return }
            cookies[name] = parts.count == 2 ? String(parts[1]) : ""
        }
    }

    static func setCookies(_ request: MockRequest) -> MockResponse {
        request.queryItems.reduce(.redirect(to: "/cookies")) { response, item in
            response.adding("Set-Cookie", "\(item.name)=\(item.value ?? ""); Path=/")
        }
    }
}

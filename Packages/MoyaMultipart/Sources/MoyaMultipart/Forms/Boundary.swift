import Foundation
import MoyaCore
import MoyaInternals

/// What separates the parts of a multipart body (RFC 2046, section 5.1.1).
struct Boundary: Hashable, Sendable {
    let text: String

    init(_ text: String) throws(MultipartFormError) {
        guard Self.isValid(text) else { throw .boundary(text) }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// One that occurs in no part, as far as 122 random bits can say.
    static func random() -> Boundary {
        Boundary(unchecked: "moya-" + UUID().uuidString.replacingOccurrences(of: "-", with: ""))
    }

    func contentType(_ subtype: String) -> String {
        let isToken = HTTPToken.isToken(text)
        return "multipart/\(subtype); boundary=\(isToken ? text : "\"\(text)\"")"
    }

    static func isValid(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.last != " "
            && text.utf8.allSatisfy { allowed.contains($0) }
    }

    private static let allowed = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ".utf8)
}

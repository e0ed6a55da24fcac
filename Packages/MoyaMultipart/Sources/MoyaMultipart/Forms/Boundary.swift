import Foundation
import MoyaCore
import MoyaInternals

/// Delimiter text of a multipart body, without its leading hyphens (RFC 2046, section 5.1.1).
struct Boundary: Hashable, Sendable {
    let text: String

    init(_ text: String) throws(MultipartFormError) {
        guard Self.isValid(text) else { throw .boundary(text) }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Returns a boundary with 122 random bits, so that it occurs in no part.
    static func random() -> Boundary {
        Boundary(unchecked: "moya-" + RandomID.hexadecimal())
    }

    /// Returns the value of `Content-Type`. The boundary is quoted unless it is a token.
    func contentType(_ subtype: String) -> String {
        let isToken = HTTPToken.isToken(text)
        return "multipart/\(subtype); boundary=\(isToken ? text : "\"\(text)\"")"
    }

    /// Whether `text` has 1 to 70 of the characters that RFC 2046, section 5.1.1 allows, and ends
    /// with no space.
    static func isValid(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.last != " "
            && text.utf8.allSatisfy { allowed.contains($0) }
    }

    private static let allowed = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ".utf8)
}

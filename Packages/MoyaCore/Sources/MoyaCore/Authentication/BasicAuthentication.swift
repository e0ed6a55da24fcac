import Foundation

/// Basic authentication (RFC 7617).
enum BasicAuthentication {
    /// Returns the value of the `Authorization` field. `nil` for a user name with a colon, which
    /// the scheme cannot represent.
    static func answer(user: String, password: String) -> String? {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

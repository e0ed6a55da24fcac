import Foundation

/// Basic authentication (RFC 7617).
enum BasicAuthentication {
    /// The value of the `Authorization` field. `nil` for a user whose name it cannot carry.
    static func answer(user: String, password: String) -> String? {
        guard !user.contains(":") else { return nil }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

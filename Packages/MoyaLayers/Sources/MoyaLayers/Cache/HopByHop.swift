import Foundation
import MoyaCore

/// Header fields that concern a single connection and are not stored (RFC 9111, section 3.1).
enum HopByHop {
    static func names(in fields: [HeaderField]) -> Set<String> {
        fields.members(of: "Connection").union([
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
            "upgrade",
        ])
    }
}

extension [HeaderField] {
    /// Returns the members of the comma-separated fields `name` (RFC 9110, section 5.6.1), in lower
    /// case.
    func members(of name: String) -> Set<String> {
        Set(
            values(for: name).flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
                .filter { !$0.isEmpty })
    }
}

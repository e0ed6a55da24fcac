import Foundation
import MoyaCore

/// Header fields that concern a single connection and are not stored (RFC 9111, section 3.1).
enum HopByHop {
    static func names(in fields: [HeaderField]) -> Set<String> {
        var names: Set<String> = [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
            "upgrade",
        ]
        for value in fields.values(for: "Connection") {
            for name in value.split(separator: ",") {
                names.insert(name.trimmingCharacters(in: .whitespaces).lowercased())
            }
        }
        return names
    }
}

import Foundation
import MoyaCore
import MoyaInternals

/// A `User-Agent` value (RFC 9110, section 10.1.5), such as `Shop/2.1 (Linux) Moya/1.0.0`.
public struct UserAgent: Sendable, Equatable, CustomStringConvertible {
    /// The value of the field.
    public let description: String

    /// Creates the value from a product, its version and comments. Invalid characters become `-`.
    ///
    /// - Parameters:
    ///   - product: Name of the program.
    ///   - version: Version of the program.
    ///   - comments: Additional information for servers, such as the system or a contact address.
    public init(product: String, version: String? = nil, comments: [String] = [Self.system]) {
        var text = Self.token(product)
        if let version { text += "/" + Self.token(version) }
        let shown = comments.map(Self.comment).filter { !$0.isEmpty }
        if !shown.isEmpty { text += " (\(shown.joined(separator: "; ")))" }
        description = text + " Moya/" + Moya.version
    }

    /// Identifies this process: its bundle identifier or process name, and its version.
    public static let `default` = UserAgent(
        product: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    /// Name of the operating system. The version is omitted, because it helps to track users.
    public static var system: String { SystemName.current ?? "unknown" }

    private static func token(_ text: String) -> String {
        let bytes = text.utf8.map { HTTPToken.isTokenCharacter($0) ? $0 : UInt8(ascii: "-") }
        return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }

    private static func comment(_ text: String) -> String {
        let bytes = text.utf8.map { byte -> UInt8 in
            let isAllowed = (0x20...0x7E).contains(byte) && !#"()\"#.utf8.contains(byte)
            return isAllowed ? byte : UInt8(ascii: "-")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Transport {
    /// Wraps this transport in a layer that adds `userAgent` to requests without a `User-Agent`.
    public func identifying(as userAgent: UserAgent = .default) -> some Transport {
        let name = userAgent.description
        return Layer(around: self, adding: ["User-Agent": name]) {
            try await send($0.adding("User-Agent", name))
        }
    }
}

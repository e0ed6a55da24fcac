import Foundation
import MoyaCore
import MoyaInternals

/// Says what program sends a request (RFC 9110, section 10.1.5): `Shop/2.1 (Linux) Moya/1.0.0`.
public struct UserAgent: Sendable, Equatable, CustomStringConvertible {
    /// The field's value.
    public let description: String

    /// Products, most significant first. Characters that no product may hold become `-`.
    ///
    /// - Parameters:
    ///   - product: The program's name.
    ///   - version: Its version.
    ///   - comments: What else a server may want to know: the system, an address for complaints.
    public init(product: String, version: String? = nil, comments: [String] = [Self.system]) {
        var text = Self.token(product)
        if let version { text += "/" + Self.token(version) }
        let shown = comments.map(Self.comment).filter { !$0.isEmpty }
        if !shown.isEmpty { text += " (\(shown.joined(separator: "; ")))" }
        description = text + " Moya/" + Moya.version
    }

    /// This process, on this system.
    public static let `default` = UserAgent(
        product: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    /// The system's name. Without its version, which would help to track users.
    public static var system: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #else
            "unknown"
        #endif
    }

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
    /// This transport, sending `userAgent` with each request that does not say itself who it is from.
    public func identifying(as userAgent: UserAgent = .default) -> some Transport {
        Layer { try await send($0.adding("User-Agent", userAgent.description)) }
    }
}

import Foundation
import MoyaInternals

/// Remembers what the servers of a transport require, so that a request answers a challenge before
/// it is sent.
///
/// Each response to a request with a ``TransportRequest/credential`` shows whether its server
/// requires Basic, Digest or nothing for this credential. That holds for later requests with the
/// same credential to the same origin, whose path is in the same folder or below (RFC 7617, section
/// 2.2), or for Digest to the whole server unless its challenge names a `domain`. The 64 entries
/// used last are stored, in memory.
///
/// Use one instance for each transport.
public final class AuthenticationCache: Sendable {
    /// Authentication schemes.
    public struct Schemes: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Basic (RFC 7617).
        public static let basic = Schemes(rawValue: 1 << 0)
        /// Digest (RFC 7616).
        public static let digest = Schemes(rawValue: 1 << 1)
    }

    let schemes: Schemes
    let asksFirst: Bool
    private let spaces = Locked(ProtectionSpaces())

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - schemes: The schemes to answer.
    ///   - asksFirst: Whether a request with a credential and a body is sent with the field
    ///     `Expect: 100-continue` while its server may challenge it or reject the credential. For
    ///     transports that wait for the server's response to such a head before they read and send
    ///     the body.
    public init(schemes: Schemes = [.basic, .digest], asksFirst: Bool = false) {
        self.schemes = schemes
        // Without schemes, the response to the challenge would be no other request.
        self.asksFirst = asksFirst && !schemes.isEmpty
    }

    /// Requirement of the server of a request. `nil` if it is unknown.
    func requirement(of key: ProtectionSpaces.Key) -> ProtectionSpaces.Requirement? {
        spaces.withLock { $0.requirement(of: key) }
    }

    /// Stores what the server of a request requires. `nil` removes what is stored.
    func set(_ requirement: ProtectionSpaces.Requirement?, for key: ProtectionSpaces.Key) {
        spaces.withLock { $0.set(requirement, for: key) }
    }

    /// Returns the number of uses of `nonce`, including this one.
    func nextCount(of nonce: String) -> Int {
        spaces.withLock { $0.nextCount(of: nonce) }
    }
}

/// The state of an ``AuthenticationCache``.
struct ProtectionSpaces {
    /// Requirement of a server for requests with a credential.
    enum Requirement {
        case nothing
        case basic
        case digest(DigestAuthentication)
    }

    /// A request's origin, path and credential.
    struct Key {
        let origin: String
        /// The path with percent-encoding, without dot segments.
        let path: Substring
        /// SHA-256 of user name and password.
        let credential: Data

        init(_ url: URL, user: String, password: String) {
            origin = url.origin
            path = url.requestTarget.prefix { $0 != "?" }
            credential = Digester.digest(.sha256, of: Data("\(user)\0\(password)".utf8))
        }

        /// The path up to its last slash (RFC 7617, section 2.2).
        fileprivate var folder: Substring {
            path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        }
    }

    private struct Space {
        let key: Key
        let folder: Substring
        let requirement: Requirement

        func contains(_ other: Key) -> Bool {
            key.origin == other.origin && key.credential == other.credential
                && other.path.utf8.starts(with: folder.utf8)
        }
    }

    private static let limit = 64
    private var spaces: [Space] = []
    /// The uses of each Digest nonce (RFC 7616, section 3.4), the latest last. A server may use a
    /// nonce again, and counts its uses too.
    private var counts: [(nonce: String, count: Int)] = []

    mutating func requirement(of key: Key) -> Requirement? {
        guard let index = index(of: key) else { return nil }
        let space = spaces.remove(at: index)
        spaces.append(space)
        return space.requirement
    }

    mutating func set(_ requirement: Requirement?, for key: Key) {
        let folder =
            switch requirement {
            case nil: index(of: key).map { spaces[$0].folder }
            case .nothing, .basic: key.folder
            case .digest(let digest): digest.coversServer ? "/" : key.folder
            }
        spaces.removeAll { $0.contains(key) && $0.folder == folder }
        guard let requirement, let folder else { return }
        spaces.append(Space(key: key, folder: folder, requirement: requirement))
        if spaces.count > Self.limit { spaces.removeFirst() }
    }

    mutating func nextCount(of nonce: String) -> Int {
        let index = counts.firstIndex { $0.nonce == nonce }
        let count = (index.map { counts.remove(at: $0).count } ?? 0) + 1
        counts.append((nonce, count))
        if counts.count > Self.limit { counts.removeFirst() }
        return count
    }

    /// The index of the entry with the longest folder that contains the request.
    private func index(of key: Key) -> Int? {
        spaces.indices.filter { spaces[$0].contains(key) }
            .max { spaces[$0].folder.utf8.count < spaces[$1].folder.utf8.count }
    }
}

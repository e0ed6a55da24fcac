#if CURL
import Foundation
import MoyaCore

// Where a transport keeps cookies: see `Configuration.cookies`. Without, there are none, and what is set is
// not kept.
extension CurlTransport {
    /// The cookies there are. None where ``Configuration/cookies`` keeps none.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func cookies() async throws -> [HTTPCookie] {
        try await firstLoop().perform { $0.context.cookies?.all() ?? [] }
    }

    /// Keeps a cookie, in place of one with the same name, domain and path. Does nothing where
    /// ``Configuration/cookies`` keeps none.
    ///
    /// - Throws: `URLError(.unknown)` for a cookie with an empty name, domain or path, or with a control
    ///   character; `URLError(.cancelled)` after ``shutdown()``.
    public func setCookie(_ cookie: HTTPCookie) async throws {
        try await firstLoop().perform { try $0.context.cookies?.add(cookie) }
    }

    /// Forgets every cookie.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func removeCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.removeAll() }
    }

    /// Writes the cookies to their file, if they have one, for its owner's eyes alone. It is written when the
    /// transport goes as well, a little later and without a word of what may be in the way: before a process ends, call
    /// this, or wait for ``shutdown(draining:)``.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, and the file is as it was; `URLError(.cancelled)` after
    ///   ``shutdown()``.
    public func saveCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.save() }
    }
}
#endif

#if CURL
import Foundation
import MoyaCore

// Access to stored cookies: see `Configuration.cookies`.
extension CurlTransport {
    /// Returns the stored cookies that have not expired. Empty if ``Configuration/cookies`` is
    /// ``Configuration/Cookies/none``.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func cookies() async throws -> [HTTPCookie] {
        try await firstLoop().perform { $0.context.cookies?.all() ?? [] }
    }

    /// Stores a cookie, replacing one with the same name, domain and path. Does nothing if
    /// ``Configuration/cookies`` is ``Configuration/Cookies/none``.
    ///
    /// - Throws: `URLError(.unknown)` for a cookie with an empty name, domain or path, or with a
    ///   control character; `URLError(.cancelled)` after ``shutdown()``.
    public func setCookie(_ cookie: HTTPCookie) async throws {
        try await firstLoop().perform { try $0.context.cookies?.add(cookie) }
    }

    /// Removes every stored cookie.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func removeCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.removeAll() }
    }

    /// Saves the cookies to their file, readable by its owner only. Does nothing without a file.
    ///
    /// The transport also saves them when it shuts down, but asynchronously and without reporting
    /// errors. Before a process ends, call this method or wait for ``shutdown(draining:)``.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, and the file is as it was; `URLError(.cancelled)`
    ///   after ``shutdown()``.
    public func saveCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.save() }
    }
}
#endif

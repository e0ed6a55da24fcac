import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// libcurl's cookies, shared by every handle of a driver. Lives on the loop's thread.
final class CookieJar {
    private let share: UnsafeMutableRawPointer
    /// Reads and writes the cookies. It carries no request.
    private let easy: EasyHandle
    private let file: URL?

    /// `nil` where no cookies are kept.
    init?(_ cookies: CurlTransport.Configuration.Cookies) throws {
        if cookies == .none { return nil }
        if case .file(let url) = cookies { file = url } else { file = nil }
        guard let share = curl_share_init().map(UnsafeMutableRawPointer.init) else {
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        guard moya_share_set_data(share, CURL_LOCK_DATA_COOKIE) == CURLSHE_OK,
            let raw = curl_easy_init()
        else {
            curl_share_cleanup(share)
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        self.share = share
        easy = EasyHandle(raw: raw)
        try attach(to: easy)
        guard let file else { return }
        if FileManager.default.fileExists(atPath: file.path) {
            try easy.set(CURLOPT_COOKIEFILE, file.path)
            try easy.set(CURLOPT_COOKIELIST, "RELOAD")
        }
        try easy.set(CURLOPT_COOKIEJAR, file.path)
    }

    deinit {
        // Without a share it forgets where the cookies are, and writes no file by itself.
        _ = moya_easy_set_pointer(easy.raw, CURLOPT_COOKIEJAR, nil)
        curl_easy_cleanup(easy.raw)
        curl_share_cleanup(share)
    }

    /// Has `handle` use these cookies.
    func attach(to handle: EasyHandle) throws(EasyHandle.OptionError) {
        try handle.set(CURLOPT_SHARE, pointer: share)
        try handle.set(CURLOPT_COOKIEFILE, "")
    }

    /// Every cookie, expired ones not.
    func all() -> [HTTPCookie] {
        var list: UnsafeMutableRawPointer?
        guard moya_easy_get_pointer(easy.raw, CURLINFO_COOKIELIST, &list) == CURLE_OK else {
            return []
        }
        let first = list?.assumingMemoryBound(to: curl_slist.self)
        defer { curl_slist_free_all(first) }
        var cookies: [HTTPCookie] = []
        var node = first
        while let entry = node?.pointee {
            if let data = entry.data, let cookie = NetscapeCookie(String(cString: data))?.cookie {
                cookies.append(cookie)
            }
            node = entry.next
        }
        return cookies
    }

    func add(_ cookie: HTTPCookie) throws(EasyHandle.OptionError) {
        try easy.set(CURLOPT_COOKIELIST, NetscapeCookie(cookie).line)
    }

    func removeAll() throws(EasyHandle.OptionError) {
        try easy.set(CURLOPT_COOKIELIST, "ALL")
    }

    /// Writes the file, where there is one.
    func save() {
        guard file != nil else { return }
        // libcurl writes to a temporary file and renames it, and says nothing of how that went.
        _ = moya_easy_set_pointer(easy.raw, CURLOPT_COOKIELIST, "FLUSH")
    }
}

/// A cookie as a line of a cookie file: seven fields between tabs.
struct NetscapeCookie {
    private static let httpOnlyMark = "#HttpOnly_"
    let line: String

    /// `nil` for what is no such line.
    init?(_ line: String) {
        guard line.split(separator: "\t", omittingEmptySubsequences: false).count == 7 else {
            return nil
        }
        self.line = line
    }

    init(_ cookie: HTTPCookie) {
        let includesSubdomains = cookie.domain.hasPrefix(".")
        let expiry = cookie.expiresDate.map { Int64($0.timeIntervalSince1970) } ?? 0
        line = [
            (cookie.isHTTPOnly ? Self.httpOnlyMark : "") + cookie.domain,
            includesSubdomains ? "TRUE" : "FALSE", cookie.path,
            cookie.isSecure ? "TRUE" : "FALSE", "\(expiry)", cookie.name, cookie.value,
        ].joined(separator: "\t")
    }

    var cookie: HTTPCookie? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let isHTTPOnly = fields[0].hasPrefix(Self.httpOnlyMark)
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: isHTTPOnly ? String(fields[0].dropFirst(Self.httpOnlyMark.count)) : fields[0],
            .path: fields[2], .name: fields[5], .value: fields[6],
        ]
        if fields[3] == "TRUE" { properties[.secure] = "TRUE" }
        if let seconds = TimeInterval(fields[4]), seconds > 0 {
            properties[.expires] = Date(timeIntervalSince1970: seconds)
        }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}

#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// libcurl's cookies, shared by every handle of a driver. Lives on the loop's thread.
final class CookieJar {
    private let share: UnsafeMutableRawPointer
    /// Reads and writes the cookies. It carries no request.
    private let easy: EasyHandle
    private let file: URL?
    /// How many cookies may have come since they were counted.
    private var newCount = 0
    /// To count them takes as long as there are many. So there may be as many more than ``CookieLimit`` has for a while.
    private static let mostNew = 500

    /// `nil` where no cookies are kept.
    init?(_ cookies: CurlTransport.Configuration.Cookies, options: OptionCheck) throws {
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
        easy = EasyHandle(raw: raw, options: options)
        try attach(to: easy)
        if let file, FileManager.default.fileExists(atPath: file.path) {
            try load(file)
            newCount = Self.mostNew
            trim()
        }
    }

    deinit {
        curl_easy_cleanup(easy.raw)
        curl_share_cleanup(share)
    }

    /// Reads the file with a handle of its own: the one that has read a file reads it again each time it lists
    /// or writes cookies, and what has been removed since would come back.
    private func load(_ file: URL) throws {
        guard let raw = curl_easy_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        let reader = EasyHandle(raw: raw, options: easy.options)
        defer { curl_easy_cleanup(raw) }
        try reader.set(CURLOPT_SHARE, pointer: share)
        try reader.set(CURLOPT_COOKIEFILE, file.path)
        try reader.set(CURLOPT_COOKIELIST, "RELOAD")
    }

    /// Has `handle` use these cookies.
    func attach(to handle: EasyHandle) throws(EasyHandle.OptionError) {
        try handle.set(CURLOPT_SHARE, pointer: share)
        try handle.set(CURLOPT_COOKIEFILE, "")
    }

    /// Every cookie, expired ones not.
    func all() -> [HTTPCookie] { current().compactMap(\.cookie) }

    /// Whether a header line may bring a cookie: it begins and ends as `Set-Cookie:` does. Another one only counts.
    static func mayBeBrought(by line: UnsafeRawBufferPointer) -> Bool {
        line.count > 10 && line[10] == UInt8(ascii: ":") && line[0] | 0x20 == UInt8(ascii: "s")
    }

    /// Takes note of one more cookie.
    func noteNew() { newCount += 1 }

    /// Forgets those that are too many, when enough have come since. Not while libcurl is at work: it may be reading them.
    func trim() {
        guard newCount >= Self.mostNew else { return }
        newCount = 0
        let cookies = current()
        let kept = CookieLimit.apply(to: cookies)
        guard kept.count < cookies.count else { return }
        do throws(EasyHandle.OptionError) {
            try removeAll()
            for cookie in kept { try easy.set(CURLOPT_COOKIELIST, cookie.line) }
        } catch {
            // Without memory for them, the rest is gone.
        }
    }

    /// libcurl forgets expired cookies when it next gets one, not when it is asked.
    private func current() -> [NetscapeCookie] {
        let now = Date().timeIntervalSince1970
        return lines().compactMap { NetscapeCookie($0) }
            .filter { $0.expiry == 0 || $0.expiry > now }
    }

    private func lines() -> [String] {
        var list: UnsafeMutableRawPointer?
        guard moya_easy_get_pointer(easy.raw, CURLINFO_COOKIELIST, &list) == CURLE_OK else {
            return []
        }
        let first = list?.assumingMemoryBound(to: curl_slist.self)
        defer { curl_slist_free_all(first) }
        var lines: [String] = []
        var node = first
        while let entry = node?.pointee {
            if let data = entry.data { lines.append(String(cString: data)) }
            node = entry.next
        }
        return lines
    }

    func add(_ cookie: HTTPCookie) throws {
        try easy.set(CURLOPT_COOKIELIST, NetscapeCookie(cookie).line)
        noteNew()
        trim()
    }

    func removeAll() throws(EasyHandle.OptionError) {
        try easy.set(CURLOPT_COOKIELIST, "ALL")
    }

    /// Writes the file, where there is one: as a whole or not at all, and for its owner's eyes alone.
    func save() throws(URLError) {
        guard let file = file?.resolvingSymlinksInPath() else { return }
        let lines = CookieLimit.apply(to: current()).map(\.line).filter(CookieFile.mayHold)
        let text = (["# Netscape HTTP Cookie File"] + lines).map { $0 + "\n" }.joined()
        let draft = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString)")
        do {
            try NewFile.replace(file, by: draft) { try $0.write(Data(text.utf8)) }
        } catch {
            throw Self.failure(file, error)
        }
    }

    private static func failure(_ file: URL, _ cause: any Error) -> URLError {
        URLError(
            .cannotWriteToFile, "The cookies cannot be saved to \(file.path).", url: nil,
            cause: cause)
    }
}
#endif

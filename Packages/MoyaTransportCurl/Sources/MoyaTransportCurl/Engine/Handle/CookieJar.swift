#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

/// Cookies that all handles of a driver share, kept by libcurl. Used on the loop's thread only.
final class CookieJar {
    private let share: UnsafeMutableRawPointer
    /// Reads and writes the cookies. Sends no requests.
    private let easy: EasyHandle
    private let file: URL?
    /// Upper bound on the cookies added since the last ``trim()``.
    private var newCount = 0
    /// Expiry times that libcurl has misread, by the key of their cookie.
    private var expiries: [String: CookieExpiry] = [:]
    /// Number of added cookies that triggers a ``trim()``. Counting cookies takes linear time, so
    /// ``CookieLimit`` may be exceeded by this number for a while.
    private static let mostNew = 500

    /// Returns `nil` if no cookies are stored.
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
        guard let file else { return }
        for line in CookieLimit.newest(of: try CookieFile.lines(of: file)) {
            try easy.set(CURLOPT_COOKIELIST, line)
        }
    }

    deinit {
        curl_easy_cleanup(easy.raw)
        curl_share_cleanup(share)
    }

    /// Makes `handle` use these cookies.
    func attach(to handle: EasyHandle) throws(CurlError) {
        try handle.set(CURLOPT_SHARE, pointer: share)
        try handle.set(CURLOPT_COOKIEFILE, "")
    }

    /// The cookies that have not expired.
    func all() -> [HTTPCookie] { current().compactMap(\.cookie) }

    /// Whether a header line may be a `Set-Cookie` field. Checks two characters only: a false
    /// positive merely raises the count.
    static func mayBeBrought(by line: UnsafeRawBufferPointer) -> Bool {
        line.count > 10 && line[10] == UInt8(ascii: ":") && line[0] | 0x20 == UInt8(ascii: "s")
    }

    /// Counts a cookie that `line` may have added, and notes its expiry time if libcurl misreads
    /// it.
    func noteNew(_ line: UnsafeRawBufferPointer, from url: URL?) {
        newCount += 1
        guard let url, let expiry = CookieExpiry(line, from: url) else { return }
        expiries[expiry.key] = expiry
    }

    /// Corrects the expiry times of cookies, and removes the cookies beyond the limit, once enough
    /// have been added. Must not run inside a call of libcurl, which may be reading them.
    func tidy() {
        correctExpiries()
        trim()
    }

    private func correctExpiries() {
        guard !expiries.isEmpty else { return }
        for cookie in lines().compactMap({ NetscapeCookie($0) }) {
            guard let corrected = expiries[CookieExpiry.key(of: cookie)]?.corrected(cookie) else {
                continue
            }
            // Without memory, libcurl's expiry time stays.
            try? easy.set(CURLOPT_COOKIELIST, corrected.line)
        }
        expiries = [:]
    }

    private func trim() {
        guard newCount >= Self.mostNew else { return }
        newCount = 0
        let cookies = current()
        let kept = CookieLimit.apply(to: cookies)
        guard kept.count < cookies.count else { return }
        do throws(CurlError) {
            try removeAll()
            for cookie in kept { try easy.set(CURLOPT_COOKIELIST, cookie.line) }
        } catch {
            // No memory. The remaining cookies are lost.
        }
    }

    /// The cookies that have not expired. libcurl removes expired cookies only when it receives
    /// another one.
    private func current() -> [NetscapeCookie] {
        lines().compactMap { NetscapeCookie($0) }.filter { !$0.isExpired }
    }

    private func lines() -> [String] {
        let first = easy.pointer(CURLINFO_COOKIELIST)?.assumingMemoryBound(to: curl_slist.self)
        defer { curl_slist_free_all(first) }
        return CurlLibrary.texts(of: first)
    }

    func add(_ cookie: HTTPCookie) throws {
        try easy.set(CURLOPT_COOKIELIST, NetscapeCookie(cookie).line)
        newCount += 1
        trim()
    }

    func removeAll() throws(CurlError) { try easy.set(CURLOPT_COOKIELIST, "ALL") }

    /// Writes the file, if there is one, atomically and readable by its owner only.
    func save() throws(URLError) {
        guard let file = file?.resolvingSymlinksInPath() else { return }
        let lines = CookieLimit.apply(to: current()).map(\.line).filter(CookieFile.mayHold)
        let text = (["# Netscape HTTP Cookie File"] + lines).map { $0 + "\n" }.joined()
        let draft = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).\(RandomID.uuid().uuidString)")
        do {
            try NewFile.replace(file, by: draft) { try $0.write(Data(text.utf8)) }
        } catch {
            throw URLError(
                .cannotWriteToFile, "The cookies cannot be saved to \(file.path).", url: nil,
                cause: error)
        }
    }
}
#endif

#if CURL
import Foundation
import MoyaCore

/// Reads and validates the file that cookies are loaded from and saved to.
///
/// libcurl treats an unreadable file as empty and skips lines that are not cookies. The next save
/// replaces the whole file and would lose them, so the file is checked before it is loaded.
enum CookieFile {
    typealias Failure = CurlTransport.ConfigurationError

    /// Size limit in bytes: ``CookieLimit/total`` lines of the greatest length. A larger file is
    /// not a cookie file, and must not fill the memory.
    private static let largestSize = 16 << 20
    /// libcurl ignores longer lines.
    private static let longestLine = 4998

    /// Returns the lines with cookies of a file of cookies and comments. Empty if no file exists.
    static func lines(of url: URL) throws(Failure) -> [String] {
        guard url.isFileURL else {
            throw Failure(
                "The cookie file's URL is \(Redaction.default.redact(url: url)). It needs a file "
                    + "URL: URL(fileURLWithPath:).")
        }
        let path = url.path
        // Opens without blocking, so that a FIFO without a writer cannot hang the caller.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("The cookie file \(path) is not a regular file. Pass another path.")
        }
        guard status.st_size <= largestSize else {
            throw Failure(
                "The cookie file \(path) has \(status.st_size) bytes, and is larger than "
                    + "\(largestSize >> 20) MiB. Pass another path.")
        }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw unreadable(path, error.localizedDescription)
        }
        var (cookies, number, rest) = ([String](), 0, data[...])
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = String(
                String(decoding: rest[..<end], as: UTF8.self).drop { " \t".contains($0) })
            rest = rest[end...].dropFirst()
            number += 1
            if isComment(line) { continue }
            guard isCookie(line) else {
                throw Failure(
                    "Line \(number) of the cookie file \(path) is not a cookie in Netscape's "
                        + "format. Correct the line, or pass another path.")
            }
            if line.utf8.count <= longestLine { cookies.append(line) }
        }
        return cookies
    }

    private static func unreadable(_ path: String, _ reason: String) -> Failure {
        Failure("The cookie file \(path) cannot be read: \(reason)")
    }

    /// Whether `line` can be saved: a line that ``lines(of:)`` would reject must not be written,
    /// whatever the server sent.
    static func mayHold(_ line: String) -> Bool {
        line.utf8.count <= longestLine && (isComment(line) || isCookie(line))
    }

    /// Whether `line` is a comment, or empty.
    private static func isComment(_ line: String) -> Bool {
        line.allSatisfy(\.isWhitespace)
            || line.utf8.first == UInt8(ascii: "#") && !line.hasPrefix(NetscapeCookie.httpOnlyMark)
    }

    /// Whether `line` is a cookie that libcurl parses.
    private static func isCookie(_ line: String) -> Bool {
        if line.lowercased().hasPrefix("set-cookie:") { return true }
        // The value, the last field, may be empty.
        let fields = line.split(separator: "\t")
        return (6...7).contains(fields.count) && isTruth(fields[1]) && isTruth(fields[3])
            && Int64(fields[4]) != nil
    }

    private static func isTruth(_ field: Substring) -> Bool {
        ["true", "false"].contains(field.lowercased())
    }
}
#endif

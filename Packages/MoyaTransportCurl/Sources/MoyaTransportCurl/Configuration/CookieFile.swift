#if CURL
import Foundation

/// The file that cookies are read from, and written to as a whole.
///
/// To libcurl a file that it cannot read is an empty one, and it passes over lines that are no cookies. All of that
/// would be gone once the cookies are saved, so it is looked for before.
enum CookieFile {
    typealias Failure = CurlTransport.ConfigurationError

    /// More than any jar has. What is larger is another file, which is not to fill the memory.
    private static let largestSize = 64 << 20

    /// Lets a file pass that holds nothing but cookies and remarks, and one that does not exist.
    static func check(_ url: URL) throws(Failure) {
        guard url.isFileURL else { throw Failure("The cookie file's URL \(url) is not of a file.") }
        let path = url.path
        // Does not wait for who writes into a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return }
        guard descriptor >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= largestSize
        else { throw Failure("The cookie file \(path) is no file, or far too large for one.") }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw unreadable(path, error.localizedDescription)
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let index = lines.firstIndex(where: { !isKnown(String(decoding: $0, as: UTF8.self)) }) {
            throw Failure(
                "Line \(index + 1) of the cookie file \(path) is no cookie in Netscape's format. "
                    + "Name another file.")
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> Failure {
        Failure("The cookie file \(path) cannot be read: \(reason)")
    }

    /// Whether a line may stand in a file that is written: whatever servers think of, the file is to be read again.
    static func mayHold(_ line: String) -> Bool {
        // libcurl passes over longer ones.
        line.utf8.count <= 4998 && isKnown(line)
    }

    /// Whether libcurl finds a cookie in the line, or it is empty or a remark.
    private static func isKnown(_ line: String) -> Bool {
        let line = line.drop { " \t".contains($0) }
        if line.allSatisfy(\.isWhitespace) { return true }
        if line.utf8.first == UInt8(ascii: "#"), !line.hasPrefix(NetscapeCookie.httpOnlyMark) {
            return true
        }
        if line.lowercased().hasPrefix("set-cookie:") { return true }
        // The last one, the value, may be empty.
        let fields = line.split(separator: "\t")
        return (6...7).contains(fields.count) && isTruth(fields[1]) && isTruth(fields[3])
            && Int64(fields[4]) != nil
    }

    private static func isTruth(_ field: Substring) -> Bool {
        ["true", "false"].contains(field.lowercased())
    }
}
#endif

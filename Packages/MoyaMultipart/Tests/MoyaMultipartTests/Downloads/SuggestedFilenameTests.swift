import Foundation
import MoyaMultipart
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct SuggestedFilenameTests {
    static let names: [(String?, String, String)] = [
        ("attachment; filename=\"report.pdf\"", "/x", "report.pdf"),
        ("attachment; filename=report.pdf", "/x", "report.pdf"),
        ("attachment; FILENAME = \"a b.txt\"", "/x", "a b.txt"),
        ("attachment; filename=\"with \\\"quotes\\\".txt\"", "/x", "with \"quotes\".txt"),
        ("attachment; filename=\"semi;colon.txt\"; size=3", "/x", "semi;colon.txt"),
        ("attachment; filename=\"old.txt\"; filename*=UTF-8''na%C3%AFve.txt", "/x", "naïve.txt"),
        ("attachment; filename*=utf-8'de'%E2%82%AC.txt", "/x", "€.txt"),
        ("attachment; filename*=ISO-8859-1''x; filename=\"plain.txt\"", "/x", "plain.txt"),
        ("attachment; filename=\"../../etc/passwd\"", "/x", "passwd"),
        ("attachment; filename=\"..\\\\..\\\\boot.ini\"", "/x", "boot.ini"),
        ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fshadow", "/x", "shadow"),
        ("attachment; filename=\"/etc/cron.d/job\"", "/x", "job"),
        ("attachment; filename=\".bashrc\"", "/x", "bashrc"),
        ("attachment; filename=\"...\"", "/fallback.bin", "fallback.bin"),
        ("attachment; filename=\"a\u{0}b\u{1B}.txt\"", "/x", "ab.txt"),
        ("attachment; filename=\"\"", "/y.zip", "y.zip"),
        ("attachment; filename=\"a.txt\"; filename=\"b.exe\"", "/x", "a.txt"),
        ("attachment; filename=\"open.txt; size=3", "/x", "open.txt; size=3"),
        ("attachment; filename=\"a\\", "/x", "a"),
        ("attachment", "/a/b%20c.tar.gz", "b c.tar.gz"), (nil, "/file.iso", "file.iso"),
        (nil, "/", "download"),
        ("filename", "/", "download"), (";;;=;", "/", "download"), (nil, "/a%2F..%2Fb", "b"),
        ("attachment; filename*=UTF-8''a%2F%CC%81b", "/x", "\u{301}b"),
        ("attachment; filename*=UTF-8''.%CC%81bashrc", "/x", "\u{301}bashrc"),
        ("attachment; filename*=UTF-8''invoice%E2%80%AEtxt.exe", "/x", "invoicetxt.exe"),
        ("attachment; filename*=UTF-8''%E2%80%8B.bashrc", "/x", "bashrc"),
        ("attachment; filename*=UTF-8''.%E2%81%A0.%EF%BB%BF%20.bashrc%E3%80%80", "/x", "bashrc"),
        ("attachment; filename*=UTF-8''%E2%80%8B.%20%C2%AD", "/x", "x"),
    ]

    @Test(arguments: names)
    func `a suggested filename is taken from the header or the URL and made safe`(
        disposition: String?, path: String, expected: String
    ) throws {
        let url = try #require(URL(string: "http://a.test" + path))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: disposition.map { ["Content-Disposition": $0] }))
        // Foundation may drop a value with control characters.
        let dropped =
            response.value(forHTTPHeaderField: "Content-Disposition") == nil && disposition != nil
        #expect(SuggestedFilename(response).value == (dropped ? "x" : expected))
    }

    @Test func `a suggested filename is at most 255 bytes long`() throws {
        let url = try #require(
            URL(string: "http://a.test/" + String(repeating: "a", count: 300) + ".txt"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        #expect(SuggestedFilename(response).value.utf8.count == 255)
        #expect(SuggestedFilename(response).value.hasSuffix(".txt"))
    }

    @Test func `a suggested filename is cut inside a long character and keeps its extension`()
        throws
    {
        let mark = "%CC%81"
        let url = try #require(
            URL(string: "http://a.test/a" + String(repeating: mark, count: 200) + ".txt"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let name = SuggestedFilename(response).value
        #expect(name.utf8.count == 255)
        #expect(name.unicodeScalars.first == "a")
        #expect(name.hasSuffix(".txt"))
    }

    @Test func `a suggested destination has the suggested filename and the given options`() throws {
        let url = try #require(URL(string: "http://a.test/file.zip"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let destination = suggestedDownloadDestination(
            for: .cachesDirectory, options: .removePreviousFile)
        let (file, options) = destination(URL(fileURLWithPath: "/tmp/x"), response)
        #expect(file.lastPathComponent == "file.zip")
        #expect(options == .removePreviousFile)
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Validators that are not valid in If-Range (RFC 9110, sections 8.8.2, 8.8.3 and 13.1.5).
@Suite struct UnsendableValidatorTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    static let tags = [
        "\"a\u{1}b\"", "\"a\u{7F}b\"", "\"a\", \"b\"", "\"a\"b\"", "\"a b\"", "\"", "*", "a",
        "\"" + String(repeating: "a", count: 50_000) + "\"",
    ]

    @Test(arguments: tags)
    func `a download whose entity tag is invalid in a request starts over after a lost connection`(
        tag: String
    ) async throws {
        let origin = try Origin(.init(data: data, tag: tag))
        let isFirst = Locked(true)
        origin.resource.withLock { resource in
            resource.change = { response, _ in
                let cuts = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return cuts ? response.truncated(after: 100_000) : response
            }
        }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("If-Range") == [nil, nil])
    }

    @Test(arguments: [
        "\u{1}Sun, 06 Nov 1994 08:49:37 GMT", "\u{1}, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37", "yesterday",
    ])
    func `a download whose Last-Modified is not an HTTP date starts over after a lost connection`(
        date: String
    ) async throws {
        let origin = try Origin(.init(data: data, tag: nil, lastModified: date))
        let isFirst = Locked(true)
        origin.resource.withLock { resource in
            resource.change = { response, _ in
                let cuts = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return cuts ? response.truncated(after: 100_000) : response
            }
        }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("If-Range") == [nil, nil])
    }

    @Test(arguments: [#"\"a\u0001b\""#, #"\"a\", \"b\""#, #"\u0001, 06 Nov 1994 08:49:37 GMT"#])
    func `a saved state whose validator is invalid in a request is not used`(validator: String)
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let json = try String(contentsOf: state, encoding: .utf8)
        let saved = #"\"one\""#
        #expect(json.contains(saved))
        try Data(json.replacingOccurrences(of: saved, with: validator).utf8).write(to: state)
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
    }
}

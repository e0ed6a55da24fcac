import Foundation
import MoyaCore

/// The responses of one cache key, encoded as the bytes of a file.
///
/// File format: an eight-byte magic number, the checksum of the remaining bytes, the length of the
/// index, the index as JSON, and the concatenated bodies. A truncated, empty or overwritten file
/// does not match its checksum.
struct CacheRecord {
    let key: String
    let responses: [StoredResponse]

    private struct Index: Codable {
        var key: String
        var responses: [Entry]
    }

    private struct Entry: Codable {
        var statusCode: Int
        var url: URL
        var httpVersion: String
        var fields: [[String]]
        var bodyLength: Int
        var requestTime: Double
        var responseTime: Double
        var selectors: [String: UInt64]
    }

    private static let magic = Data("MOYACCH1".utf8)
}

extension CacheRecord {
    /// Decodes the record in `file`. Returns `nil` if the file is damaged.
    init?(_ file: Data) {
        let headLength = Self.magic.count + 16
        guard file.count >= headLength, file.starts(with: Self.magic) else { return nil }
        let content = file.dropFirst(Self.magic.count + 8)
        guard Self.number(in: file.dropFirst(Self.magic.count)) == Self.digest(content) else {
            return nil
        }
        let indexLength = Self.number(in: content)
        var rest = content.dropFirst(8)
        guard indexLength <= rest.count,
            let index = try? JSONDecoder().decode(
                Index.self, from: rest.prefix(Int(indexLength)))
        else { return nil }
        rest = rest.dropFirst(Int(indexLength))
        var responses: [StoredResponse] = []
        for entry in index.responses {
            guard (0...rest.count).contains(entry.bodyLength) else { return nil }
            responses.append(Self.response(entry, body: Data(rest.prefix(entry.bodyLength))))
            rest = rest.dropFirst(entry.bodyLength)
        }
        self.init(key: index.key, responses: responses)
    }

    /// Returns the bytes of the file.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let index = try encoder.encode(Index(key: key, responses: responses.map(Self.entry)))
        var content = Self.bytes(of: UInt64(index.count)) + index
        for response in responses { content.append(response.body) }
        return Self.magic + Self.bytes(of: Self.digest(content)) + content
    }

    private static func entry(_ response: StoredResponse) -> Entry {
        Entry(
            statusCode: response.statusCode, url: response.url,
            httpVersion: response.httpVersion,
            fields: response.fields.map { [$0.name, $0.value] }, bodyLength: response.body.count,
            requestTime: response.requestTime.timeIntervalSince1970,
            responseTime: response.responseTime.timeIntervalSince1970,
            selectors: response.selectors)
    }

    private static func response(_ entry: Entry, body: Data) -> StoredResponse {
        StoredResponse(
            statusCode: entry.statusCode, url: entry.url, httpVersion: entry.httpVersion,
            fields: entry.fields.filter { $0.count == 2 }
                .map { HeaderField(name: $0[0], value: $0[1]) },
            body: body, requestTime: Date(timeIntervalSince1970: entry.requestTime),
            responseTime: Date(timeIntervalSince1970: entry.responseTime),
            selectors: entry.selectors)
    }

    private static func bytes(of number: UInt64) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private static func number(in data: Data) -> UInt64 {
        data.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func digest(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { FNV1a.digest($0) }
    }
}

import Foundation

/// An HTTP Archive 1.2 (HAR). Keeps fields that this library does not use.
struct HARArchive: Sendable {
    /// The archive as it was loaded.
    private let root: JSONValue
    /// Entries added later, encoded as JSON. Each is encoded once, even if the file is written many
    /// times.
    private var added: [Data] = []

    /// Creates an archive without entries.
    init() {
        root = [
            "log": [
                "version": "1.2", "creator": ["name": "Moya", "version": "1"], "entries": [],
            ]
        ]
    }

    var entries: [JSONValue] { root.har("log").har("entries").harList ?? [] }

    /// - Throws: ``CassetteError`` if `data` is not an HTTP Archive.
    init(_ data: Data, name: String) throws {
        let json: JSONValue
        do {
            json = try JSONDecoder().decode(JSONValue.self, from: data)
        } catch {
            throw CassetteError(
                description:
                    "The cassette \(name) is not JSON: \(error). Restore it, or delete it and "
                    + "record anew.")
        }
        guard json.har("log").har("entries").harList != nil else {
            throw CassetteError(
                description: "The cassette \(name) is not an HTTP Archive: it has no log.entries. "
                    + "Browsers make one with “Save all as HAR”.")
        }
        root = json
    }

    mutating func append(_ entry: Data) { added.append(entry) }

    /// Returns the contents of the file: keys sorted and lines indented, for readable diffs.
    func encoded() throws -> Data {
        guard case .object(let root) = root, case .object(let log)? = root["log"] else {
            return Data()
        }
        let all = try entries.map(Self.encode) + added
        let entries = Data("[\n".utf8) + Self.joined(all) + Data("\n]".utf8)
        let newLog = try Self.object(log, with: "entries", entries)
        return try Self.object(root, with: "log", newLog) + Data("\n".utf8)
    }

    /// Encodes an object, with the field `name` already encoded.
    private static func object(
        _ fields: [String: JSONValue], with name: String, _ value: Data
    ) throws -> Data {
        var fields = fields
        fields[name] = nil
        var texts = try fields.mapValues(encode)
        texts[name] = value
        let lines = try texts.sorted { $0.key < $1.key }.map { field in
            try encode(.string(field.key)) + Data(": ".utf8) + field.value
        }
        return Data("{\n".utf8) + joined(lines) + Data("\n}".utf8)
    }

    private static func joined(_ texts: [Data]) -> Data {
        // Appends whole elements: `joined(separator:)` copies byte by byte.
        texts.enumerated().reduce(into: Data()) { all, text in
            if text.offset > 0 { all.append(contentsOf: ",\n".utf8) }
            all.append(text.element)
        }
    }

    static func encode(_ value: JSONValue) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

extension JSONValue {
    /// Returns a field of an object, or `null` if it is missing.
    func har(_ name: String) -> JSONValue {
        if case .object(let fields) = self { fields[name] ?? .null } else { .null }
    }

    var harText: String? { if case .string(let text) = self { text } else { nil } }
    var harList: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
    var harNumber: Double? { if case .number(let number) = self { number } else { nil } }
}

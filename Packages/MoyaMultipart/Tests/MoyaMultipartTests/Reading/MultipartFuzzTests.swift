import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import Testing

@testable import MoyaMultipart

/// Generates bodies that resemble multipart bodies and are damaged at random places.
private struct BodyMaker {
    var random: SeededGenerator

    /// Fragments of delimiters and header fields.
    private static let pieces = [
        "\r\n", "\r", "\n", "--", "-", "b", "\r\n--b", "\r\n--b\r\n", "\r\n--b--", "\r\n--bb",
        "--b", " ", "\t", ":", "A: 1", "\r\n\r\n", "Content-Disposition: form-data; name=\"", "\"",
        ";", "%22", "\\", "é", "🐈", "\0",
    ].map { Data($0.utf8) }

    mutating func make() -> Data {
        var body = Data()
        let isLikeOne = Int.random(in: 0..<4, using: &random) > 0
        if isLikeOne {
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                body += Data("\r\n--b\r\n".utf8)
                for index in 0..<Int.random(in: 0..<3, using: &random) {
                    body += Data("H\(index): \(index)\r\n".utf8)
                }
                body += Data("\r\n".utf8) + content()
            }
            body += Data("\r\n--b--".utf8)
        } else {
            body = content()
        }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { mutate(&body) }
        return body
    }

    private mutating func content() -> Data {
        var content = Data()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            content += Self.pieces.randomElement(using: &random) ?? Data()
        }
        return content
    }

    private mutating func mutate(_ body: inout Data) {
        let place = Int.random(in: 0...body.count, using: &random)
        let rest = body.dropFirst(place)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: body = body.prefix(place) + content() + rest
        case 1: body = body.prefix(place) + rest.dropFirst(Int.random(in: 0..<8, using: &random))
        case 2: body = body.prefix(place)
        default:
            body =
                body.prefix(place) + [UInt8.random(in: 0...255, using: &random)]
                + rest.dropFirst()
        }
    }
}

@Suite(.seeded) struct MultipartFuzzTests {
    @Test(arguments: 0..<20)
    func `chunk boundaries do not change how a random multipart body is parsed`(seed: Int) {
        var maker = BodyMaker(random: SeededGenerator(case: seed))
        var random = SeededGenerator(case: seed + 1_000)
        let limits = MultipartLimits(partCount: 3, headerSize: 60, partSize: 40)
        var ended = 0
        for _ in 0..<200 {
            let body = maker.make()
            let whole = Reading(body, limits: limits)
            if whole.failure == nil { ended += 1 }
            // Any text is passed as a Content-Disposition.
            let header = MultipartHeader([
                HeaderField(
                    name: "Content-Disposition", value: String(decoding: body, as: UTF8.self))
            ])
            _ = (header.name, header.fileName)
            for largest in [1, 3, 20] {
                let reading = Reading(body, limits: limits) {
                    Int.random(in: 1...largest, using: &random)
                }
                #expect(
                    reading == whole, "\(String(decoding: body, as: UTF8.self).debugDescription)")
            }
        }
        // Enough bodies must be valid, so that not only errors are compared.
        #expect(ended > 20)
    }

    @Test(arguments: 0..<10)
    func `random forms are read back as they were written`(seed: Int) async throws {
        var random = SeededGenerator(case: seed)
        for _ in 0..<30 {
            var names: [String] = []
            var contents: [Data] = []
            let parts = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                let name = String.random(using: &random)
                let content = Data.random(upTo: 3_000, using: &random)
                names.append(FormEscaping.normalizingNewlines(of: name))
                contents.append(content)
                return MultipartFormBodyPart(provider: .data(content), name: name, fileName: name)
            }
            let plan = try MultipartPlan(MultipartFormData(parts: parts))
            var sent = Data()
            for try await chunk in plan.body { sent += chunk }
            let reading = Reading(sent, boundary: plan.boundary.text) {
                Int.random(in: 1...700, using: &random)
            }
            #expect(reading.failure == nil)
            #expect(reading.parts.map(\.body) == contents)
            #expect(reading.parts.map(\.header.name) == names)
        }
    }

    @Test func `the parser's memory stays bounded for endless input`() throws {
        let chunk = Data(repeating: UInt8(ascii: "\r"), count: 64 << 10)
        for start in ["", "--b\r\n\r\n", "--b", "--b\r\n\r\nx\r\n--b", "--b--"] {
            var parser = try MultipartParser(
                boundary: "b", limits: MultipartLimits(partSize: .max))
            _ = try? parser.parse(Data(start.utf8))
            for _ in 0..<100 {
                _ = try? parser.parse(chunk)
                #expect(parser.bufferedCount < 256)
            }
        }
        var parser = try MultipartParser(boundary: "b")
        _ = try parser.parse(Data("--b\r\nA: ".utf8))
        for _ in 0..<1_000 { _ = try? parser.parse(Data(count: 1_000)) }
        #expect(parser.bufferedCount < (16 << 10) + 1_100)
    }
}

extension String {
    private static let oddities: [String] =
        Array(#"abcZ019 .,;:=?!&/'()<>[]{}@#$*+~^`|"äöüßéñ日本語한국어עברית🐈👩‍👩‍👧‍👧%"#).map(String.init)
        // Some readers treat a backslash before a quotation mark, a backslash or the end as an
        // escape.
        + ["\r", "\n", "\r\n", "\"", #"\a"#, #"\日\b"#, "%41", "%C3%A9", "%%", "% 22", "%2f"]

    /// Returns a random name with unusual characters, except sequences that are ambiguous after
    /// browsers' escaping.
    static func random(using random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<24, using: &random) {
            text.append(oddities.randomElement(using: &random) ?? "a")
        }
        return text
    }
}

extension Data {
    static func random(upTo limit: Int, using random: inout SeededGenerator) -> Data {
        let count = Int.random(in: 0...limit, using: &random)
        var data = Data(capacity: count + 8)
        while data.count < count {
            Swift.withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}

import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaMockServer

/// Random field values that a server should not send: random bytes, and valid values with a random
/// byte inserted. The same seed gives the same values.
public struct OddFieldValues: RandomNumberGenerator {
    private var generator: SeededGenerator

    /// Creates the generator for one case of a test.
    public init(_ test: String = #function, case number: Int) {
        generator = SeededGenerator(test, case: number)
    }

    public mutating func next() -> UInt64 { generator.next() }

    /// Returns the next value. It has no LF, which would end the field, and no NUL, because libcurl
    /// refuses a message with one.
    public mutating func value() -> Data {
        let valid = Self.valid[Int.random(in: 0..<Self.valid.count, using: &self)]
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return bytes(Int.random(in: 0...40, using: &self))
        case 1:
            return Data("\"".utf8) + bytes(Int.random(in: 0...20, using: &self)) + Data("\"".utf8)
        case 2: return Data("\"".utf8) + Data(repeating: 0x61, count: 20_000) + Data("\"".utf8)
        case 3: return Data(valid.utf8)
        default:
            var value = Data(valid.utf8)
            let index = Int.random(in: 0...value.count, using: &self)
            value.insert(contentsOf: bytes(1), at: index)
            return value
        }
    }

    private mutating func bytes(_ count: Int) -> Data {
        Data(
            (0..<count).map { _ in
                var byte: UInt8 = 0
                while byte == 0 || byte == UInt8(ascii: "\n") {
                    byte = .random(in: .min ... .max, using: &self)
                }
                return byte
            })
    }

    private static let valid = [
        "\"a\"", "W/\"a\"", "\"\"", "*", "\"a\", \"b\"", "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "/files/1", "//a/b",
        "http://127.0.0.1:1/x", "ftp://a/b", "../..", "?a b#c", "Bearer", "eyJ.a-b_c~d+e/f==", "42",
        "-1", "99999999999999999999", "bytes=0-1",
    ]
}

extension MockRequest {
    /// The part of this request that violates RFC 9110 or RFC 9112. `nil` for a valid request.
    public var fault: String? {
        if !HTTPToken.isToken(method) { return "method \(method)" }
        if !target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return "target \(target)" }
        let field = headers.first { !Self.isValid($0) }
        return field.map { "\($0.name): \($0.value.prefix(200))" }
    }

    private static func isValid(_ field: HeaderField) -> Bool {
        let value = Array(field.value.utf8)
        let name = field.name.lowercased()
        guard HTTPToken.isToken(name), value.count <= 8192 || name == "authorization",
            value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return false }
        let isASCII = value.allSatisfy { $0 < 0x80 }
        switch name {
        case "if-none-match": return isTag(value.starts(with: "W/".utf8) ? value[2...] : value[...])
        case "if-range": return isTag(value[...]) || isASCII && HTTPDate.parse(field.value) != nil
        case "if-modified-since": return isASCII && HTTPDate.parse(field.value) != nil
        case "authorization":
            let words = field.value.split(separator: " ", maxSplits: 1)
            return isASCII && words.count == 2 && HTTPToken.isToken(String(words[0]))
        default: return true
        }
    }

    /// Whether `text` is an opaque tag (RFC 9110, section 8.8.3).
    private static func isTag(_ text: ArraySlice<UInt8>) -> Bool {
        let quote = UInt8(ascii: "\"")
        return text.count > 1 && text.first == quote && text.last == quote
            && text.dropFirst().dropLast().allSatisfy { $0 != quote && $0 > 0x20 && $0 != 0x7F }
    }
}

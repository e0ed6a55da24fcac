import Foundation

/// Hexadecimal encoding.
public enum Hexadecimal {
    /// Returns `data` as lower-case hexadecimal digits, two for each byte.
    public static func encode(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

import Foundation

/// How long a body is according to the `Content-Length` fields of a head.
///
/// libcurl believes the last of them, and the digits it begins with. Whoever is between may believe another one,
/// and take the rest of the body for the next response.
struct StatedLength {
    private var value: Int64?
    /// Whether they differ, or one is no number of bytes: nobody knows where the body ends (RFC 9112, section 6.3).
    private(set) var isInvalid = false

    /// Takes note of a header line, whatever it is.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        guard let value = HeaderScan.value(of: "content-length:", in: line) else { return }
        // The same number several times, in one field or in several, is one number (RFC 9110, section 8.6).
        for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let number = Self.number(HeaderScan.trim(item))
            if number == nil || self.value != nil && self.value != number { isInvalid = true }
            self.value = number
        }
    }

    /// Digits alone, and no more of them than there can be bytes.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard !text.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(Int64(byte) - 48)
            if isTooLarge || isLarger { return nil }
            number = sum
        }
        return number
    }
}

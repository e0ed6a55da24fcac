#if !canImport(Security)
    import Foundation

    /// The lines of a response's head, as far as URLSession stumbles over them.
    struct HeadLines {
        private(set) var status = 0
        private(set) var hasBegun = false
        /// Whether it comes in frames, which are there as a whole or not at all.
        private(set) var isFramed = false
        private(set) var isComplete = false
        /// Whether the last line redirects to a host without a scheme, with characters in it that URLSession cannot
        /// put into a URL.
        private(set) var hasUnusableLocation = false
        private var location: String?
        private var isInLocation = false

        mutating func append(_ line: UnsafeRawBufferPointer) {
            hasUnusableLocation = false
            switch line.first {
            case nil, 0x0D, 0x0A:
                // One with status 100 or 103 only announces the next.
                isComplete = status == 101 || status >= 200
            case 0x20, 0x09:
                if isInLocation { redirect(to: text(line[...]), joining: " ") }
            case _ where line.starts(with: "HTTP/".utf8):
                self = HeadLines()
                hasBegun = true
                isFramed = line.count > 5 && line[5] != UInt8(ascii: "1")
                let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(3)
                status = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            default:
                isInLocation = Self.isLocation(line)
                if isInLocation { redirect(to: text(line.dropFirst(9)), joining: ", ") }
            }
        }

        private static func isLocation(_ line: UnsafeRawBufferPointer) -> Bool {
            line.count > 8 && line[8] == UInt8(ascii: ":")
                && zip(line, "location".utf8).allSatisfy { $0 | 0x20 == $1 }
        }

        private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private mutating func redirect(to text: String, joining separator: String) {
            let whole = [location, text].compactMap { $0 }.filter { !$0.isEmpty }
                .joined(separator: separator)
            location = whole
            guard 300..<400 ~= status, let url = URL(string: whole), url.scheme == nil,
                let host = url.host
            else { return }
            hasUnusableLocation = !host.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || scalar.properties.isAlphabetic
                    || "0123456789-._~!$&'()*+,;=".unicodeScalars.contains(scalar)
            }
        }
    }
#endif

/// Text that identifies a run. Runs that differ only in random identifiers have equal text.
enum RunSignature {
    /// Joins the parts and replaces each identifier by its number in order of appearance.
    /// Identifiers are UUIDs and other words of 16 to 64 hexadecimal digits.
    static func make(_ parts: [String]) -> String {
        var numbers: [Substring: Int] = [:]
        let text = parts.joined(separator: "\n")
        var result = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0.isHexDigit || $0 == "-" }
            if (16...64).contains(word.utf8.count) {
                let number = numbers[word] ?? numbers.count
                numbers[word] = number
                result += "#\(number)"
            } else {
                result += word
            }
            rest = rest[word.endIndex...]
            let between = rest.prefix { !$0.isHexDigit && $0 != "-" }
            result += between
            rest = rest[between.endIndex...]
        }
        return result
    }
}

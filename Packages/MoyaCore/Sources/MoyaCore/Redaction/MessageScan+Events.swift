// Server-sent events (HTML standard, section 9.2.6).
extension MessageScan {
    func isEventStream(_ range: Range<Int>) -> Bool {
        var line = range.lowerBound
        while line < range.upperBound {
            if has("data:", line, range.upperBound) { return true }
            line = nextLine(endOfLine(line..<range.upperBound), range.upperBound)
        }
        return false
    }

    /// Scans the `data` lines of each event as one document, and other lines as another one.
    mutating func events(_ range: Range<Int>, _ depth: Int) {
        var data: [Range<Int>] = []
        var (line, others) = (range.lowerBound, range.lowerBound)
        while line < range.upperBound {
            let end = endOfLine(line..<range.upperBound)
            let next = nextLine(end, range.upperBound)
            if has("data:", line, end) {
                if others < line { document(others..<line, depth) }
                data.append((line + 5)..<next)
                others = next
            } else if end == line {
                event(data, depth)
                data = []
            }
            line = next
        }
        event(data, depth)
        if others < range.upperBound { document(others..<range.upperBound, depth) }
    }

    /// Scans the content of `data` lines, including line ends.
    private mutating func event(_ lines: [Range<Int>], _ depth: Int) {
        guard lines.count > 1 else { return lines.forEach { document($0, depth) } }
        var scan = MessageScan<[UInt8]>(lines.flatMap { bytes[$0] }, redaction)
        scan.document(scan.range, depth)
        guard scan.editCount > 0 else { return }
        // The current line, and its start in the joined text.
        var (line, start) = (0, 0)
        func place(_ index: Int, isEnd: Bool) -> Int {
            while line + 1 < lines.count, index + (isEnd ? 0 : 1) > start + lines[line].count {
                start += lines[line].count
                line += 1
            }
            return lines[line].lowerBound + index - start
        }
        for edit in scan.secrets {
            let first = place(edit.range.lowerBound, isEnd: false)
            replace(first..<place(edit.range.upperBound, isEnd: true), by: edit.text)
        }
    }
}

import Foundation

/// Text of a progress bar. Does no I/O.
struct ProgressLine {
    let title: String
    let progress: FileProgress

    /// Returns a line of `width - 1` columns: long enough to overwrite the previous line, and too
    /// short to wrap.
    func text(width: Int) -> String {
        let columns = max(0, width - 1)
        let numbers = " " + plainNumbers
        let room = columns - numbers.count
        var text = room >= 0 ? numbers : String(plainNumbers.prefix(columns))
        if let fraction = progress.fractionCompleted, room >= 12 {
            let name = String(title.prefix(room / 2))
            let barWidth = min(40, room - name.count - 3)
            let filled = Int(fraction * Double(barWidth))
            let bar =
                String(repeating: "#", count: filled)
                + String(repeating: ".", count: barWidth - filled)
            text = "\(name) [\(bar)]" + text
        } else if room > 0 {
            text = title.prefix(room) + text
        }
        return text.padding(toLength: columns, withPad: " ", startingAt: 0)
    }

    /// Line for output that is not a terminal.
    var plainText: String { "\(title): \(plainNumbers)" }

    private var plainNumbers: String {
        var parts: [String] = []
        if let fraction = progress.fractionCompleted { parts.append("\(Int(fraction * 100)) %") }
        parts.append(Self.bytes(Double(progress.completedBytes)))
        if let rate = progress.bytesPerSecond { parts.append(Self.bytes(rate) + "/s") }
        if let seconds = progress.estimatedSecondsRemaining, seconds > 0 {
            parts.append(Self.time(seconds) + " left")
        }
        return parts.joined(separator: "  ")
    }

    /// Formats a number of bytes in decimal units, with at most three digits before the decimal
    /// point.
    static func bytes(_ count: Double) -> String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        var (count, unit) = (max(0, count), 0)
        // A count that would be rounded to 1000 uses the next unit.
        while count >= (unit == 0 ? 1000 : 999.5), unit < units.count - 1 {
            count /= 1000
            unit += 1
        }
        let format = unit == 0 || count >= 99.95 ? "%.0f" : "%.1f"
        return String(format: format, count) + " " + units[unit]
    }

    /// Formats a duration as `0:05` or `1:02:03`, and as `days` from 100 hours on.
    static func time(_ seconds: TimeInterval) -> String {
        guard seconds < 100 * 3600 else { return "days" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, whole % 60)
            : String(format: "%d:%02d", minutes, whole % 60)
    }

    /// Removes control and bidirectional control characters, which could alter the terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    $0.properties.generalCategory != .control && !$0.properties.isBidiControl
                }))
    }
}

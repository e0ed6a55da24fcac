import Foundation
import MoyaCore
import MoyaInternals

/// Rate limits in a response's header fields.
enum ServerLimit {
    /// Returns the pause that the server asks for, in seconds, or `nil` if it asks for none.
    static func pause(after head: ResponseHead, now: Date) -> TimeInterval? {
        if TransientFailure(statusCode: head.statusCode) == .overloaded,
            let seconds = head.retryAfter(at: now)
        {
            return seconds
        }
        return structured(head) ?? separate(head, prefix: "RateLimit-", now: now)
            ?? separate(head, prefix: "X-RateLimit-", now: now)
    }

    /// Parses the `RateLimit` field of the IETF draft: `"name";r=remaining;t=seconds`, or the older
    /// form `limit=, remaining=, reset=`.
    private static func structured(_ head: ResponseHead) -> TimeInterval? {
        guard let text = head.value(for: "RateLimit") else { return nil }
        guard text.contains(";") else { return pause(in: pairs(text.split(separator: ","))) }
        // Of several exhausted limits, the longest pause applies.
        return text.split(separator: ",").compactMap { member in
            pause(in: pairs(member.split(separator: ";")))
        }.max()
    }

    private static func pairs(_ parts: [Substring]) -> [String: String] {
        var values: [String: String] = [:]
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        return values
    }

    private static func pause(in values: [String: String]) -> TimeInterval? {
        let remaining = (values["r"] ?? values["remaining"]).flatMap(DeltaSeconds.parse)
        let reset = (values["t"] ?? values["reset"]).flatMap(DeltaSeconds.parse)
        return remaining == 0 ? reset : nil
    }

    /// Parses limits with a separate field for each number. A reset of more than 1e9 is a Unix
    /// time, otherwise a number of seconds.
    private static func separate(
        _ head: ResponseHead, prefix: String, now: Date
    ) -> TimeInterval? {
        guard head.values(for: "\(prefix)Remaining").first.flatMap(DeltaSeconds.parse) == 0,
            let reset = head.values(for: "\(prefix)Reset").first.flatMap(DeltaSeconds.parse)
        else { return nil }
        return reset > 1e9 ? max(0, reset - now.timeIntervalSince1970) : reset
    }
}

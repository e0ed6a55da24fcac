import Foundation
import MoyaCore

/// Episodes of a cassette, and which of them were played.
struct CassetteState: Sendable {
    struct Options: Sendable {
        let name: String
        let matchers: [CassetteMatcher]
        let allowsRepeats: Bool
    }

    private(set) var archive: HARArchive
    private(set) var episodes: [Episode]
    private var isPlayed: [Bool]
    /// Number of episodes that were loaded. Episodes recorded later are not played, because their
    /// values are masked.
    private let playableCount: Int
    /// Version of the archive. Increases with each recorded episode.
    private(set) var version = 0

    init(_ archive: HARArchive, mask: CassetteMask) {
        self.archive = archive
        episodes = archive.entries.map { Episode($0, mask: mask) }
        isPlayed = episodes.map { _ in false }
        playableCount = episodes.count
    }

    /// Returns the indices of the episodes that match `request`, played or not. Call it on a copy
    /// and not under the lock: matchers are code of the test, which may read `unplayed`.
    func matching(_ request: RecordedRequest, _ options: Options) -> [Int] {
        episodes.indices.filter { index in
            options.matchers.allSatisfy { $0.misses(episodes[index].request, request).isEmpty }
        }
    }

    /// Returns the first matching episode that was not played, and marks it as played. With
    /// `allowsRepeats`, returns the last match if all were played.
    mutating func play(_ matching: [Int], _ options: Options) -> Episode? {
        let playable = matching.filter { $0 < playableCount }
        let fresh = playable.first { !isPlayed[$0] }
        guard let index = fresh ?? (options.allowsRepeats ? playable.last : nil) else { return nil }
        isPlayed[index] = true
        return episodes[index]
    }

    /// Adds an episode. It counts as played, because its request was just answered.
    mutating func record(_ episode: Episode, _ entry: Data) {
        archive.append(entry)
        episodes.append(episode)
        isPlayed.append(true)
        version += 1
    }

    var unplayed: [String] {
        zip(episodes, isPlayed).filter { !$0.1 }.map { $0.0.request.summary }
    }

    /// Explains why there is no episode to play for `request`.
    func explanation(_ request: RecordedRequest, _ options: Options, fix: String) -> String {
        let candidates = episodes.enumerated().map { index, episode in
            let misses = options.matchers.flatMap { $0.misses(episode.request, request) }
            return (name: "number \(index + 1)", misses: misses)
        }
        let matchingCount = candidates.count { $0.misses.isEmpty }
        let by = options.matchers.map(\.name).joined(separator: ", ")
        var lines: [String] = []
        if matchingCount > 0 {
            lines.append(
                "The cassette \(options.name) has \(matchingCount) for \(request.summary), and "
                    + (matchingCount == 1 ? "it was played already." : "all were played already."))
        } else {
            lines.append(
                "The cassette \(options.name) has nothing for \(request.summary) (compared by \(by))."
            )
        }
        lines += list
        if let nearest = RequestMatcher.Miss.nearest(of: candidates) { lines.append(nearest) }
        lines.append(fix)
        return lines.joined(separator: "\n")
    }

    private var list: [String] {
        guard !episodes.isEmpty else { return ["It is empty."] }
        return ["Recorded:"]
            + Array(zip(episodes, isPlayed)).numberedLines { episode, isPlayed in
                "\(episode.request.summary): \(episode.shownStatus)" + (isPlayed ? ", played" : "")
            }
    }
}

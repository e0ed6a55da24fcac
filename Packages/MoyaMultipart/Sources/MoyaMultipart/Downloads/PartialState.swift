import Foundation

/// Saved state of a partial download.
struct PartialState: Codable, Equatable, Sendable {
    var version = 1
    /// Digest of the URL, because the URL may contain secrets.
    let source: String
    var validator: Validator
    /// Length of the whole file in bytes, if known.
    var total: Int64?
    /// Segments, if several connections write. A single connection appends to the file.
    var segments: [Segment]?
    /// Number of bytes on disk when a single connection saved the state.
    var synced: Int64?
    /// Boot in which the state was saved: see ``BootSession``.
    var boot = BootSession.current

    /// Returns the segments to resume, or `nil` if the state belongs to another `source` or does
    /// not match the file's length.
    func segments(of source: String, fileLength: Int64) -> [Segment]? {
        guard version == 1, source == self.source, fileLength <= total ?? .max else { return nil }
        guard let segments else {
            return [Segment(start: 0, end: total, done: bytesThere(of: fileLength))]
        }
        guard let total, segments.first?.start == 0, segments.last?.end == total else { return nil }
        var next: Int64 = 0
        for segment in segments {
            guard segment.start == next, let end = segment.end, end >= next,
                (0...end - next).contains(segment.done),
                segment.done == 0 || segment.offset <= fileLength
            else { return nil }
            next = end
        }
        return segments
    }

    /// Number of bytes to rely on: all of them, or only synchronised bytes if the machine has
    /// rebooted since.
    private func bytesThere(of fileLength: Int64) -> Int64 {
        if let boot, boot == BootSession.current { return fileLength }
        return min(fileLength, max(0, synced ?? 0))
    }
}

/// Range of a file that one connection fetches.
struct Segment: Codable, Equatable, Sendable {
    let start: Int64
    /// Offset after the last byte. `nil` until it is known.
    var end: Int64?
    /// Number of bytes present.
    var done: Int64 = 0

    /// Offset of the next byte to fetch.
    var offset: Int64 { start + done }
    var isComplete: Bool { offset == end }

    /// Splits the missing bytes into at most `count` segments of at least `minimum` bytes.
    func split(into count: Int, minimum: Int64) -> [Segment] {
        guard let end else { return [self] }
        let pieces = min(Int64(count), (end - offset) / max(1, minimum))
        guard pieces > 1 else { return [self] }
        let size = (end - offset) / pieces
        var first = self
        first.end = offset + size
        return [first]
            + (1..<pieces).map { index in
                Segment(
                    start: offset + index * size,
                    end: index == pieces - 1 ? end : offset + (index + 1) * size)
            }
    }
}

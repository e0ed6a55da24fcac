import Foundation

/// What has to be known about a file that is half there, to fetch the rest of it.
struct PartialState: Codable, Equatable, Sendable {
    var version = 1
    /// A digest of the URL, which may have secrets in it.
    let source: String
    var validator: Validator
    /// The length of the whole, where it is known.
    var total: Int64?
    /// Where several connections write. One alone writes at the end of the file.
    var segments: [Segment]?
    /// How many bytes of one connection were on the disk when this was written.
    var synced: Int64?
    /// When that was: see ``BootSession``.
    var boot = BootSession.current

    /// The segments to go on with, if this state is one of `source` and of a file that long.
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

    /// How many bytes of a file that long can be relied on: all of them, unless the machine has started since.
    private func bytesThere(of fileLength: Int64) -> Int64 {
        if let boot, boot == BootSession.current { return fileLength }
        return min(fileLength, max(0, synced ?? 0))
    }
}

/// A part of a file that one connection fetches.
struct Segment: Codable, Equatable, Sendable {
    let start: Int64
    /// The byte after the last. `nil` until it is known.
    var end: Int64?
    /// How many bytes are there.
    var done: Int64 = 0

    /// The byte to go on with.
    var offset: Int64 { start + done }
    var isComplete: Bool { offset == end }

    /// The rest of this segment in at most `count` pieces, none shorter than `minimum`.
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

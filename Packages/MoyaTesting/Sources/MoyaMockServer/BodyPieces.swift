import Foundation

/// Iterates over the pieces of a response body, each with the pause before it, in seconds.
struct BodyPieces: IteratorProtocol {
    private let response: MockResponse
    private let size: Int
    private let throttlePause: TimeInterval
    private var index = 0
    private var rest = Data()
    private var patternLeft = 0
    private var isFirst = true

    init(_ response: MockResponse) {
        self.response = response
        if let speed = response.bytesPerSecond.map({ max(1, $0) }) {
            // Throttled bodies are sent in 20 pieces per second.
            size = max(1, speed / 20)
            throttlePause = Double(size) / Double(speed)
        } else {
            size = 256 << 10
            throttlePause = 0
        }
        switch response.body {
        case .data(let data), .untilClose(let data): rest = data
        case .pattern(let count): patternLeft = max(0, count)
        case .chunked, .none: break
        }
    }

    mutating func next() -> (bytes: Data, pause: TimeInterval)? {
        var pause = isFirst ? 0 : throttlePause
        // Skips empty chunks: a chunk of size 0 ends the body (RFC 9112, section 7.1).
        while rest.isEmpty, case .chunked(let pieces, let interval) = response.body {
            guard index < pieces.count else { return nil }
            rest = pieces[index]
            if index > 0 { pause += interval }
            index += 1
        }
        if rest.isEmpty, patternLeft > 0 {
            // The pattern repeats every 256 bytes, so every piece starts with its first byte.
            rest = MockResponse.patternPiece.prefix(patternLeft)
            patternLeft -= rest.count
        }
        guard !rest.isEmpty else { return nil }
        isFirst = false
        let bytes = rest.prefix(size)
        rest = rest.dropFirst(bytes.count)
        return (bytes, pause)
    }
}

#if CURL
import MoyaCore

/// Decodes the content codings of a response body (RFC 9110, section 8.4), in a fixed amount of
/// memory.
///
/// libcurl's own decoding is not used: it accepts truncated data as complete, and rejects gzip data
/// with more than one member.
///
/// A server can chain codings so that a few kilobytes expand to terabytes, or to nothing after
/// terabytes between two codings. So a limited amount is decoded at a time, and what lies between
/// codings is limited as well.
final class BodyDecoding {
    /// The result of decoding a piece of a body.
    enum Outcome {
        /// All of the piece is used.
        case used
        /// `write` has no room for more.
        case noRoom
        /// The piece expands to so much that other transfers go first.
        case interrupted
    }

    /// A coding, the room for its decoded bytes, and their number so far.
    private struct Stage {
        let name: String
        let decoder: any ContentDecoder
        let scratch: UnsafeMutableRawBufferPointer
        var total: Int64 = 0
    }

    /// The most codings that a response may have. libcurl has the same limit.
    private static let mostCodings = 5
    private static let scratchSize = 64 << 10
    /// The most bytes that are decoded at a time, in all codings together.
    private static let mostAtOnce = 4 << 20
    /// The most bytes that may lie between codings without a byte of the body.
    private static let mostWithoutResult = 16 << 20

    /// The largest size of the decoded body.
    private let limit: Int64?
    /// The largest size of the data between two codings.
    private let innerLimit: Int64?
    private let url: URL?
    /// In decoding order: the last coding that was applied comes first.
    private var stages: [Stage] = []
    /// Bytes that are not used yet: first of the piece that is being decoded, and then of each
    /// stage's decoded bytes.
    private var buffers = [UnsafeRawBufferPointer(start: nil, count: 0)]
    /// Whether a byte has arrived. An empty body is not decoded, whatever its fields say, as in
    /// libcurl, browsers and Go.
    private var hasBegun = false
    /// Number of bytes already decoded of a piece that was not used whole. libcurl delivers that
    /// piece again.
    private var usedCount = 0
    /// Number of bytes between codings since the last byte of the body.
    private var countWithoutResult = 0
    /// Number of bytes that may still be decoded at `time`.
    private var allowance = 0
    private var time: UInt64?

    /// - Parameters:
    ///   - names: The codings in the order in which they were applied.
    ///   - limit: The largest decoded size, in bytes. `nil` if the bytes that `write` accepts are
    ///     limited only by `destinationLimit`, or not at all.
    /// - Throws: `URLError(.cannotDecodeContentData)` for an unknown coding or too many codings.
    init(
        _ names: [String], limit: Int64?, destinationLimit: Int64? = nil, url: URL?
    ) throws(URLError) {
        self.limit = limit
        innerLimit = [limit, destinationLimit].compactMap { $0 }.min().map(Self.roomy)
        self.url = url
        guard names.count <= Self.mostCodings else {
            throw URLError(
                .cannotDecodeContentData,
                "The response's body has more than \(Self.mostCodings) content encodings.", url: url
            )
        }
        for name in names { try append(name) }
        stages.reverse()
    }

    private func append(_ name: String) throws(URLError) {
        let decoder: (any ContentDecoder)?
        do {
            decoder = try BodyCoding.makeDecoder(name)
        } catch {
            throw failure("cannot be decoded: \(error.reason)", coding: name)
        }
        guard let decoder else {
            let shown = String(name.filter { ("!"..."~").contains($0) }.prefix(40))
            throw URLError(
                .cannotDecodeContentData,
                "The response's content coding \"\(shown)\" is unknown. A request with an "
                    + "Accept-Encoding field of its own gets the bytes as they come.", url: url)
        }
        let scratch = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.scratchSize, alignment: 1)
        stages.append(Stage(name: name, decoder: decoder, scratch: scratch))
        buffers.append(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit { for stage in stages { stage.scratch.deallocate() } }

    /// Decodes `piece` and hands the result to `write`, part by part, until `write` has no room.
    /// If not all of `piece` is used, pass the same piece again, with any bytes that follow it.
    ///
    /// - Parameter time: The time of the loop. The amount that is decoded is limited for all calls
    ///   with the same one.
    func decode(
        _ piece: UnsafeRawBufferPointer, at time: UInt64,
        write: (UnsafeRawBufferPointer) throws -> Bool
    ) throws -> Outcome {
        hasBegun = hasBegun || !piece.isEmpty
        buffers[0] = piece
        buffers[0].drop(min(usedCount, piece.count))
        if time != self.time { (self.time, allowance) = (time, Self.mostAtOnce) }
        let outcome = try decodeAll(write)
        usedCount =
            outcome == .used
            ? max(0, usedCount - piece.count) : max(usedCount, piece.count - buffers[0].count)
        return outcome
    }

    private func decodeAll(_ write: (UnsafeRawBufferPointer) throws -> Bool) throws -> Outcome {
        let last = stages.count
        while try fill(last) {
            guard try write(buffers[last]) else { return .noRoom }
            buffers[last] = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return allowance > 0 ? .used : .interrupted
    }

    /// Fills the buffer of a stage's decoded bytes, and before it, if needed, those of the stages
    /// before. Returns `false` if more input is needed, or no more may be decoded now.
    private func fill(_ index: Int) throws(URLError) -> Bool {
        guard buffers[index].isEmpty else { return true }
        let stage = stages[index - 1]
        while allowance > 0 {
            let count: Int
            do {
                count = try stage.decoder.decode(&buffers[index - 1], into: stage.scratch)
            } catch {
                throw failure("is broken: \(error.reason)", coding: stage.name)
            }
            if count > 0 {
                buffers[index] = UnsafeRawBufferPointer(rebasing: stage.scratch.prefix(count))
                try note(count, of: index - 1)
                return true
            }
            guard index > 1, try fill(index - 1) else { return false }
        }
        return false
    }

    private func note(_ count: Int, of index: Int) throws(URLError) {
        stages[index].total += Int64(count)
        allowance -= count
        let isResult = index == stages.count - 1
        countWithoutResult = isResult ? 0 : countWithoutResult + count
        guard countWithoutResult <= Self.mostWithoutResult else {
            throw failure("decodes to nothing", coding: stages[index + 1].name)
        }
        guard let most = isResult ? limit : innerLimit, stages[index].total > most else { return }
        throw URLError(
            .dataLengthExceedsMaximum,
            "The response's body expands to more than \(limit ?? most) bytes.", url: url)
    }

    /// Limit for the output of any coding but the last. Coding can make data slightly longer, so it
    /// is a little above `limit`.
    private static func roomy(_ limit: Int64) -> Int64 {
        let (sum, isTooLarge) = limit.addingReportingOverflow(limit / 8 + 64 << 10)
        return isTooLarge ? .max : sum
    }

    /// Checks that the encoded data are complete.
    ///
    /// - Throws: `URLError(.cannotDecodeContentData)` if they are cut off.
    func finish() throws(URLError) {
        guard hasBegun, let stage = stages.first(where: { !$0.decoder.isWhole }) else { return }
        throw failure("breaks off", coding: stage.name)
    }

    private func failure(_ fault: String, coding: String) -> URLError {
        URLError(
            .cannotDecodeContentData, "The response's body, encoded with \(coding), \(fault).",
            url: url)
    }
}
#endif

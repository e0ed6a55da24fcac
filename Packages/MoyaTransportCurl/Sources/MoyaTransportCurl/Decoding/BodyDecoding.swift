#if CURL
import Foundation
import MoyaCore

/// Decodes the content codings of a response body (RFC 9110, section 8.4), in a fixed amount of
/// memory.
///
/// libcurl's own decoding is not used: it accepts truncated data as complete, and rejects gzip data
/// with more than one member.
final class BodyDecoding {
    /// A coding, and its decoded bytes that are not used yet.
    private struct Stage {
        let name: String
        let decoder: any ContentDecoder
        let scratch: UnsafeMutableRawBufferPointer
        var decoded = UnsafeRawBufferPointer(start: nil, count: 0)
        var total: Int64 = 0
    }

    /// The most codings that a response may have. libcurl has the same limit.
    private static let mostCodings = 5
    private static let scratchSize = 64 << 10

    private let limit: Int64?
    private let url: URL?
    /// In decoding order: the last coding that was applied comes first.
    private var stages: [Stage] = []
    /// Whether a byte has arrived. An empty body is not decoded, whatever its fields say, as in
    /// libcurl, browsers and Go.
    private var hasBegun = false
    /// Number of bytes already decoded of a piece that `write` had no room for. libcurl delivers
    /// that piece again.
    private var usedCount = 0

    /// - Parameters:
    ///   - names: The codings in the order in which they were applied.
    ///   - limit: The largest decoded size, in bytes.
    /// - Throws: `URLError(.cannotDecodeContentData)` for an unknown coding or too many codings.
    init(_ names: [String], limit: Int64?, url: URL?) throws(URLError) {
        self.limit = limit
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
        guard let coding = BodyCoding(name: name) else {
            let shown = String(name.filter { ("!"..."~").contains($0) }.prefix(40))
            let text =
                "The response's content coding \"\(shown)\" is unknown. A request with an Accept-Encoding field of its "
                + "own gets the bytes as they come."
            throw URLError(.cannotDecodeContentData, text, url: url)
        }
        do throws(ContentDecodingError) {
            let decoder = try coding.makeDecoder()
            stages.append(
                Stage(
                    name: name, decoder: decoder,
                    scratch: .allocate(byteCount: Self.scratchSize, alignment: 1)))
        } catch {
            throw Self.error("cannot be decoded: \(error.reason)", coding: name, url)
        }
    }

    deinit {
        for stage in stages { stage.scratch.deallocate() }
    }

    /// Decodes `piece` and hands the result to `write`, part by part, until `write` has no room.
    ///
    /// - Returns: Whether all of `piece` is used. If not, pass the same piece again, with any bytes
    ///   that follow it.
    func decode(
        _ piece: UnsafeRawBufferPointer,
        write: (UnsafeRawBufferPointer) throws -> Bool
    ) throws -> Bool {
        hasBegun = hasBegun || !piece.isEmpty
        var rest = piece
        rest.drop(min(usedCount, piece.count))
        let last = stages.count - 1
        while try fill(last, from: &rest) {
            guard try write(stages[last].decoded) else {
                usedCount = max(usedCount, piece.count - rest.count)
                return false
            }
            stages[last].decoded = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        usedCount = max(0, usedCount - piece.count)
        return true
    }

    /// Fills a stage's buffer with decoded bytes, taking input from the stage before it. Returns
    /// `false` if more input is needed.
    private func fill(_ index: Int, from piece: inout UnsafeRawBufferPointer) throws(URLError)
        -> Bool
    {
        guard stages[index].decoded.isEmpty else { return true }
        while true {
            let count = try decode(index, from: &piece)
            guard count == 0 else {
                try note(count, of: index)
                return true
            }
            guard index > 0, try fill(index - 1, from: &piece) else { return false }
        }
    }

    private func decode(
        _ index: Int, from piece: inout UnsafeRawBufferPointer
    ) throws(URLError) -> Int {
        let stage = stages[index]
        do throws(ContentDecodingError) {
            guard index > 0 else {
                return try stage.decoder.decode(&piece, into: stage.scratch)
            }
            return try stage.decoder.decode(&stages[index - 1].decoded, into: stage.scratch)
        } catch {
            throw Self.error("is broken: \(error.reason)", coding: stage.name, url)
        }
    }

    private func note(_ count: Int, of index: Int) throws(URLError) {
        stages[index].decoded = UnsafeRawBufferPointer(
            rebasing: stages[index].scratch.prefix(count))
        stages[index].total += Int64(count)
        guard let limit, stages[index].total > (index == stages.count - 1 ? limit : roomy(limit))
        else { return }
        throw URLError(
            .dataLengthExceedsMaximum,
            "The response's body expands to more than \(limit) bytes.", url: url)
    }

    /// Limit for the output of any coding but the last. Coding can make data slightly longer, so it
    /// is a little above `limit`.
    private func roomy(_ limit: Int64) -> Int64 {
        let (sum, isTooLarge) = limit.addingReportingOverflow(limit / 8 + 64 << 10)
        return isTooLarge ? .max : sum
    }

    /// Checks that the encoded data are complete.
    ///
    /// - Throws: `URLError(.cannotDecodeContentData)` if they are cut off.
    func finish() throws(URLError) {
        guard hasBegun, let stage = stages.first(where: { !$0.decoder.isWhole }) else { return }
        throw Self.error("breaks off", coding: stage.name, url)
    }

    private static func error(_ fault: String, coding: String, _ url: URL?) -> URLError {
        URLError(
            .cannotDecodeContentData, "The response's body, encoded with \(coding), \(fault).",
            url: url)
    }
}
#endif

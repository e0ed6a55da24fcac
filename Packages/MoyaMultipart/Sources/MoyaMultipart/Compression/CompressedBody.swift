import Foundation
import MoyaCore

/// Body compressed with zlib while it is read.
struct CompressedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let plain: RequestBodyStream
    let coding: ContentCoding
    let level: CompressionLevel

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate struct Running {
            var chunks: RequestBodyStream.Chunks.Iterator
            var chunk = Data()
            let deflater: Deflater
        }

        fileprivate let body: CompressedBody
        fileprivate var running: Running?
        fileprivate var isOver = false

        mutating func next() async throws -> Data? {
            while !isOver {
                try Task.checkCancellation()
                let output = try await readOn()
                if !output.isEmpty { return output }
            }
            return nil
        }

        private mutating func readOn() async throws -> Data {
            var running = try self.running ?? start()
            defer { self.running = running }
            if running.chunk.isEmpty {
                guard let next = try await running.chunks.next() else {
                    isOver = true
                    return try running.deflater.finish()
                }
                running.chunk = next
            }
            // A chunk may be a whole body in memory. Smaller pieces keep each output small.
            let piece = running.chunk.prefix(Chunk.size)
            running.chunk = running.chunk.dropFirst(Chunk.size)
            return try running.deflater.compress(piece)
        }

        private func start() throws -> Running {
            Running(
                chunks: try body.plain.makeChunks().makeAsyncIterator(),
                deflater: try Deflater(body.coding, level: body.level))
        }
    }
}

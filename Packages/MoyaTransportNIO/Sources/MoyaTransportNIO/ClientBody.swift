#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore

    /// Request body in chunks for the client.
    struct ClientBody: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        /// Maximum size of a chunk in bytes. Each chunk counts as progress and resets the idle
        /// timer.
        static let size = 64 << 10

        let body: RequestBodyStream
        let exchange: Exchange
        /// Number of the attempt. The client may still read the body of a failed attempt after the
        /// next one has started.
        let attempt: Int

        func makeAsyncIterator() -> Iterator {
            guard case .data(let data) = exchange.request.body else {
                return Iterator(source: self)
            }
            return Iterator(source: self, rest: data, isComplete: true)
        }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate let source: ClientBody
            fileprivate var pieces: ResponseBodyStream.Iterator?
            /// Unread bytes of the last chunk.
            fileprivate var rest = Data()
            /// Whether ``rest`` is the end of the body.
            fileprivate var isComplete = false

            mutating func next() async throws -> ByteBuffer? {
                let exchange = source.exchange
                if rest.isEmpty, !isComplete { try await readChunk() }
                if rest.isEmpty { return nil }
                guard isCurrent else { throw CancellationError() }
                let piece = rest.prefix(ClientBody.size)
                rest = rest.dropFirst(ClientBody.size)
                exchange.move()
                exchange.counts.send(piece.count, by: source.attempt)
                return ByteBuffer(bytes: piece)
            }

            /// Reads the next chunk into ``rest``, which stays empty at the end of the body.
            private mutating func readChunk() async throws {
                let exchange = source.exchange
                do {
                    var pieces = self.pieces ?? exchange.read(source.body).makeAsyncIterator()
                    defer { self.pieces = pieces }
                    while rest.isEmpty {
                        guard let piece = try await pieces.next() else { return }
                        rest = piece
                    }
                } catch {
                    if isCurrent { exchange.end(.bodyFailed(error)) }
                    throw error
                }
            }

            private var isCurrent: Bool { source.exchange.counts.attempt == source.attempt }
        }
    }

    extension Exchange {
        /// Returns the chunks of `body`. The client reads a request body in a task that it does not
        /// cancel. A separate task of the exchange reads the body instead, so that waiting for a
        /// chunk ends with the exchange.
        fileprivate func read(_ body: RequestBodyStream) -> ResponseBodyStream {
            let writer = ResponseBodyWriter(stop: {})
            let stream = ResponseBodyStream(writer)
            let reading = Task {
                do {
                    for try await piece in try body.makeChunks() { try await writer.write(piece) }
                    // A cancelled task may observe the end of a stream that has not ended.
                    try Task.checkCancellation()
                    writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
                } catch {
                    writer.finish(.failure(error))
                }
            }
            adopt { reading.cancel() }
            bodyReader.withLockedValue { $0 = reading }
            return stream
        }
    }
#endif

#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore

    /// The body of a request, in pieces as the client takes them.
    struct ClientBody: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        /// The most bytes of a piece: each piece is progress, for the idle timer too.
        static let size = 64 << 10

        let body: RequestBodyStream
        let exchange: Exchange
        /// The client may still read the body of one that has failed when the next one has begun.
        let attempt: Int

        func makeAsyncIterator() -> Iterator {
            Iterator(body: body, exchange: exchange, attempt: attempt)
        }

        struct Iterator: AsyncIteratorProtocol {
            private let body: RequestBodyStream
            private let exchange: Exchange
            private let attempt: Int
            private var pieces: ResponseBodyStream.Iterator?
            /// What is left of the last piece.
            private var rest = Data()

            init(body: RequestBodyStream, exchange: Exchange, attempt: Int) {
                self.body = body
                self.exchange = exchange
                self.attempt = attempt
            }

            mutating func next() async throws -> ByteBuffer? {
                do {
                    var pieces = self.pieces ?? exchange.read(body).makeAsyncIterator()
                    defer { self.pieces = pieces }
                    while rest.isEmpty {
                        guard let piece = try await pieces.next() else { return nil }
                        rest = piece
                    }
                } catch {
                    if isCurrent { exchange.end(.bodyFailed(error)) }
                    throw error
                }
                guard isCurrent else { throw CancellationError() }
                let piece = rest.prefix(ClientBody.size)
                rest = rest.dropFirst(ClientBody.size)
                exchange.move()
                exchange.counts.send(piece.count, by: attempt)
                return ByteBuffer(bytes: piece)
            }

            private var isCurrent: Bool { exchange.counts.attempt == attempt }
        }
    }

    extension Exchange {
        /// The bytes of `body`. The client reads the body of a request in a task that it does not cancel. So that a body which
        /// waits for its next piece ends with the exchange, it is read in a task of the exchange's.
        fileprivate func read(_ body: RequestBodyStream) -> ResponseBodyStream {
            let writer = ResponseBodyWriter(stop: {})
            let stream = ResponseBodyStream(writer)
            let reading = Task {
                do {
                    for try await piece in try body.makeChunks() { try await writer.write(piece) }
                    // A cancelled task may see the end of a body that goes on.
                    try Task.checkCancellation()
                    writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
                } catch {
                    writer.finish(.failure(error))
                }
            }
            adopt { reading.cancel() }
            return stream
        }
    }
#endif

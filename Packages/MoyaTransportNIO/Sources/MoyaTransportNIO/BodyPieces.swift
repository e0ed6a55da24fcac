#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore

    /// The body of a request, in pieces as the client takes them.
    struct BodyPieces: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        /// The most bytes of a piece: each piece is progress, for the idle timer too.
        static let size = 64 << 10

        let body: RequestBodyStream
        let exchange: Exchange

        func makeAsyncIterator() -> Iterator { Iterator(body: body, exchange: exchange) }

        struct Iterator: AsyncIteratorProtocol {
            private let body: RequestBodyStream
            private let exchange: Exchange
            private var pieces: ResponseBodyStream.Iterator?
            /// What is left of the last piece.
            private var rest = Data()

            init(body: RequestBodyStream, exchange: Exchange) {
                self.body = body
                self.exchange = exchange
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
                    exchange.end(.bodyFailed(error))
                    throw error
                }
                let piece = rest.prefix(BodyPieces.size)
                rest = rest.dropFirst(BodyPieces.size)
                exchange.move()
                exchange.counts.send(piece.count)
                return ByteBuffer(bytes: piece)
            }
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

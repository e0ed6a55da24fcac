#if CURL
import MoyaCore
import MoyaInternals

/// The destination of a streamed response body.
struct ResponseStream {
    let channel: ResponseBodyWriter
    /// Counts the body as a part of its exchange, because the sender gets the response before the
    /// body is complete.
    let exchanges: ExchangeCount

    /// Ends the body for its reader, and its part of the exchange.
    func close(_ result: Result<TransportResponse, any Error>) {
        channel.finish(
            result.map { ResponseBodyWriter.Ending(trailers: $0.trailers, metrics: $0.metrics) })
        exchanges.end()
    }
}

extension Transfer {
    /// Prepares a streamed response, if the request wants one. `owner` is kept alive as long as the
    /// body may be read.
    func openStream(counting exchanges: ExchangeCount, keeping owner: any Sendable) {
        guard case .stream = request.destination else { return }
        exchanges.beginPart()
        // The channel retains this transfer, which releases the channel at its end.
        let channel = ResponseBodyWriter(
            resume: { [self, loop] in loop.proceed(self, with: .receiving) },
            stop: { [self, loop] in withExtendedLifetime(owner) { loop.cancel(self) } })
        stream = ResponseStream(channel: channel, exchanges: exchanges)
    }
}
#endif

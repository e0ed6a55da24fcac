#if CURL
import MoyaCore

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

extension ResponseStream {
    /// Creates the destination for the response to `transfer`. `owner` is kept alive as long as the
    /// body may be read.
    init(
        of transfer: Transfer, counting exchanges: ExchangeCount, keeping owner: any Sendable
    ) {
        exchanges.beginPart()
        let loop = transfer.loop
        // The channel retains this transfer, which releases the channel at its end.
        //
        // The reader calls `resume` and `stop` on its own thread, while the loop's thread may be
        // ending the transfer. Both are commands, so the loop runs them in their order:
        //
        // 1. A command before the end: the transfer goes on, or is cancelled. The result that
        //    libcurl would have had is not waited for.
        // 2. The end before the command: `settle` has ended the channel, so the reader still gets
        //    what it holds. The command finds the phase `done`, and does nothing.
        let channel = ResponseBodyWriter(
            resume: { [transfer, loop] in loop.proceed(transfer, with: .receiving) },
            stop: { [transfer, loop] in withExtendedLifetime(owner) { loop.cancel(transfer) } })
        self.init(channel: channel, exchanges: exchanges)
    }
}
#endif

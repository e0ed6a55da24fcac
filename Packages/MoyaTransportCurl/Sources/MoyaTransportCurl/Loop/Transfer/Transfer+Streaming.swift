import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Bodies that are read or written while the exchange goes on.
extension Transfer {
    /// Makes room for a response that is read while it arrives. `owner` lives as long as somebody may read.
    func openChannel(counting exchanges: ExchangeCount, keeping owner: any Sendable) {
        guard case .stream = request.destination else { return }
        exchanges.beginPart()
        self.exchanges = exchanges
        // Holds this transfer, which lets go of it when it is over.
        channel = ResponseBodyWriter(
            resume: { [self, loop] in loop.proceed(self, with: .receiving) },
            stop: { [self, loop] in withExtendedLifetime(owner) { loop.cancel(self) } })
    }

    /// Hands over the head of a response whose body is read as it comes, as soon as it is the last one.
    func deliverHead(_ handle: CurlHandle) {
        guard isHeadWhole, let channel, let continuation, let url else { return }
        self.continuation = nil
        let (head, metrics) = summary(of: handle, url)
        let response = TransportResponse(
            head: head, body: .stream(ResponseBodyStream(channel)), metrics: metrics)
        outcome.withLock { $0 = .success(response) }
        continuation.resume()
    }

    /// Whether libcurl may answer this response with another request, so that nobody gets to see it.
    func mayBeAnswered(_ statusCode: Int) -> Bool {
        switch statusCode {
        case ..<200: true
        case 401: request.credential != nil
        case 407: true
        // It is asked once more, without waiting for the server's consent.
        case 417: request.urlRequest.value(forHTTPHeaderField: "Expect") != nil
        default: false
        }
    }

    /// Tells the reader that the body is over, unless there is none or has been told.
    func closeChannel(_ result: Result<TransportResponse, any Error>) {
        channel?.finish(
            result.map { ResponseBodyWriter.Ending(trailers: $0.trailers, metrics: $0.metrics) })
        channel = nil
        exchanges?.end()
        exchanges = nil
    }

    /// A direction in which libcurl waits for somebody on this side.
    struct Pause: OptionSet {
        let rawValue: Int32
        static let receiving = Pause(rawValue: 1 << 0)
        static let sending = Pause(rawValue: 1 << 2)
    }
}

extension CurlLoop {
    /// Goes on with a transfer that waited for room, or for bytes to send.
    func proceed(_ transfer: Transfer, with direction: Transfer.Pause) {
        submit(.perform { $0?.proceed(transfer, with: direction) })
    }
}

extension CurlDriver {
    fileprivate func proceed(_ transfer: Transfer, with direction: Transfer.Pause) {
        guard transfer.handle != nil, !transfer.paused.isDisjoint(with: direction) else { return }
        transfer.lastActivity = now
        resume(transfer, direction)
    }

    /// Has libcurl go on in one direction.
    func resume(_ transfer: Transfer, _ direction: Transfer.Pause) {
        guard let handle = transfer.handle else { return }
        transfer.paused.subtract(direction)
        // Silence counts again. While it did not, nobody may have looked.
        nextCheck = min(nextCheck, transfer.due(self).time)
        // Hands over at once what libcurl has kept, and may pause again.
        let code = curl_easy_pause(handle.easy.raw, transfer.paused.rawValue)
        guard code != CURLE_OK, transfer.handle != nil else { return }
        // It has no connection at the moment, as the one it had broke down: with the next one it begins anew.
        if code == CURLE_BAD_FUNCTION_ARGUMENT { return }
        // Nobody has aborted anything: libcurl could not note that it uses the socket again.
        if code == CURLE_ABORTED_BY_CALLBACK, transfer.failure == nil {
            return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY))
        }
        end(
            transfer,
            with: transfer.failure
                ?? URLError(code, detail: handle.error, verification: 0, url: transfer.url))
    }
}

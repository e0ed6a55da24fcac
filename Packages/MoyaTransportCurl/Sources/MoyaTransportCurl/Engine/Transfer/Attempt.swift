#if CURL
import CMoyaCurl
import MoyaCore

/// A try to send a transfer with libcurl: carries an easy handle, the reader of the response and
/// the upload of the request's body, and passes their events on. `Attempt+Callbacks.swift` has
/// libcurl's callbacks, and this file what they decide.
///
/// `@exclusivity(unchecked)`, as in ``CurlDriver``: code of the app that `upload` calls, to read a
/// body, reaches the attempt by commands only.
///
/// Used on the loop's thread only. A transfer that starts again gets another attempt, so no state
/// has to be reset.
final class Attempt {
    let transfer: Transfer
    let handle: CurlHandle
    /// Its loop's driver, which outlives it.
    unowned(unsafe) let driver: CurlDriver
    /// The evaluation of the server's certificates. `nil` if libcurl's checks suffice.
    var trust: ServerTrustCheck?
    /// When it began, waited and got a connection, and when bytes moved last. Set by the callbacks
    /// and by the driver.
    var times: AttemptTimes
    /// Its way to a connection, and whether descriptors were missing on it.
    @exclusivity(unchecked) var connecting = ConnectingState()
    /// The request's body, its pauses, and whether libcurl may write the request again.
    @exclusivity(unchecked) var upload = Upload()
    /// Finds bytes of the request's body that the server has acknowledged since, before the idle
    /// timeout counts. `nil` for a body of at most 16 KiB, which is sent at once or not at all.
    var sending: SendProgress?
    /// Judges the heads and the framing of the responses.
    @exclusivity(unchecked) var reader: ResponseReader
    /// The response's body: its destination, which the mapping of the request opens, and its
    /// decoding, from the first byte on.
    @exclusivity(unchecked) var body = BodyState()
    /// The bytes that the connection had received when libcurl began to write the request, to find
    /// surplus data. `nil` where they cannot be counted, and with libcurl 8.0 and later.
    var received: ReceivedBytes?
    /// The result of the connection's TLS handshake, as of the last head. libcurl does not keep it
    /// until the end of the transfer.
    var tlsAgreement: TLSAgreement?
    /// The TLS connection whose close_notify marks the end of the body.
    var closingTLS: OpaquePointer?
    /// Whether libcurl is paused because the response's body has no room, or because its decoding
    /// makes way for other transfers.
    var pausesReceiving = false
    /// The bytes of both bodies, for the request's progress.
    var progress = TransferProgress()
    /// The reason why a callback made libcurl abort, or the watchdog shut the connection down. A
    /// ``Restart`` is no failure of the transfer.
    var failure: (any Error)? {
        // libcurl would leave the connection idle.
        didSet { if failure != nil { handle.leaveQUIC() } }
    }

    /// - Parameter time: The current time, in nanoseconds of ``LoopClock``.
    init(_ transfer: Transfer, _ handle: CurlHandle, on driver: CurlDriver, at time: UInt64) {
        self.transfer = transfer
        self.handle = handle
        self.driver = driver
        times = AttemptTimes(started: time)
        reader = ResponseReader(storage: handle.takeLineStorage())
    }

    var request: TransportRequest { transfer.request }
    var url: URL? { transfer.url }
    var easy: EasyHandle { handle.easy }

    /// Whether the connection in use has carried a response. `false` with Negotiate: a challenge
    /// may have led to another connection.
    var hasStandingConnection: Bool { reader.hasHead && handle.profile?.negotiates != true }

    /// Closes the attempt's files and streams. Discards the response body, unless the response has
    /// taken it.
    func close() {
        stopWatchingTLS()
        upload.source.take()?.close()
        body.sink.discard()
        body.decoding = nil
        handle.giveBack(lineStorage: reader.takeStorage())
    }

    /// Like ``close()``, for a transfer that starts again. Keeps a request stream that can be read
    /// only once, if nothing has been read from it.
    func closeForRestart() {
        if let source = upload.source, source.isUntouchedStream {
            transfer.unreadSource = source
            upload.source = nil
        }
        close()
    }

    // MARK: Times

    /// When the loop has to check it next.
    var nextCheck: UInt64 { TimeoutCheck(self).next }

    /// Whether it waits inside libcurl, for a stream on a shared connection or for a free
    /// connection. The server is not to blame for that time.
    var waitsForConnection: Bool { connecting.step == .waiting }

    /// When it began to wait for a connection.
    var waitingSince: UInt64 { transfer.state.waitingSince ?? times.submitted }

    /// Whether its connection is reported to an observer.
    var isObserved: Bool {
        transfer.observer != nil || !handle.context.observedConnections.isEmpty
    }

    /// Whether it has begun to send its request.
    var hasSentRequest: Bool { easy.long(CURLINFO_REQUEST_SIZE) != 0 }

    /// Records that it looks up a name, opens a socket, or begins to write the request. If it
    /// waited inside libcurl before, its times start now.
    func noteConnecting(_ now: UInt64) {
        times.lastActivity = max(times.lastActivity, now)
        guard waitsForConnection else { return }
        times.restart(at: times.lastActivity)
        driver.lostWakes.noteEnd(of: driver.hostKeys.key(for: url), queued: times.queued)
    }

    /// libcurl waits for bytes of the peer, and so its socket is connected.
    func noteReading(_ now: UInt64) {
        guard transfer.observer != nil, connecting.step == .opening, connecting.connected == nil
        else { return }
        connecting.connected = now
    }

    /// Records that bytes moved without a callback of libcurl. Returns whether any have.
    func noteSending(_ now: UInt64) -> Bool {
        guard let source = upload.source,
            let move = sending?.lastMove(of: easy, from: source, now: now)
        else { return false }
        times.lastActivity = max(times.lastActivity, move)
        return true
    }

    // MARK: Pauses

    /// The directions in which libcurl is paused.
    var paused: Pause {
        var paused: Pause = pausesReceiving ? .receiving : []
        if upload.isPaused { paused.insert(.sending) }
        return paused
    }

    /// Lets libcurl go on in `direction`.
    func resume(_ direction: Pause) -> CURLcode {
        if direction.contains(.receiving) { pausesReceiving = false }
        if direction.contains(.sending) { upload.resume() }
        driver.setTimer(of: transfer, noLaterThan: nextCheck)
        return curl_easy_pause(easy.raw, paused.rawValue)
    }

    /// libcurl has stopped watching `socket`. While it waits for the request's body, that means
    /// that it has stopped reading from the server.
    func noteStoppedReading(from socket: Int32) {
        sending?.leave(socket)
        guard paused == .sending else { return }
        upload.noteStoppedReading(from: SocketIdentity(socket))
        driver.setTimer(of: transfer, noLaterThan: 0)
    }

    /// Asks for a check at `time` whether the response has ended, if it has begun and libcurl waits
    /// for the request's body.
    func scheduleAnswerCheck(at time: UInt64) {
        guard reader.hasFinalHead, upload.checkAnswer(at: time) else { return }
        driver.setTimer(of: transfer, noLaterThan: time)
    }

    /// The request's body has bytes again, or begins again on another connection, where the loop
    /// has not resumed libcurl. The idle timeout begins again. It may have no timer, because it
    /// does not apply while the transfer is paused.
    func endWaitingToSend() {
        guard upload.flow() else { return }
        times.lastActivity = driver.now
        driver.setTimer(of: transfer, noLaterThan: nextCheck)
    }

    /// Looks for the end of the response when ``Upload/nextCheck`` is due. Returns whether the loop
    /// has to resume libcurl. Throws if no response will come.
    func checkAnswer(now: UInt64) throws(URLError) -> Bool {
        let check = upload.checkAnswer(
            hasFinalHead: reader.hasFinalHead, isReceiving: !pausesReceiving, now: now)
        guard case .look(let socket) = check else { return check == .resume }
        switch upload.fault(of: socket.isOpen ? SocketPeek(socket.descriptor) : nil) {
        case .connectionClosed:
            let text = "The server closed the connection before it had the request's body."
            throw URLError(.networkConnectionLost, text, url: url)
        case .answerLost: throw ResetAnswers.error(url)
        case nil: return false
        }
    }

    // MARK: Decisions

    /// Makes libcurl close the connection if bytes follow a head without a body.
    func closeConnectionWithSurplus() {
        guard let received, reader.hasFinalHead, reader.isWithoutBody,
            received.hasSurplus(after: reader.lineBytes),
            // Over TLS to a proxy, the system also counts the bytes of TLS records.
            OpenSSL.installed?.connection(of: easy) == nil
        else { return }
        handle.closeConnectionAtEnd()
    }

    /// Watches how the connection ends, if its end is the end of the body.
    func watchTLSEnd() {
        let version = easy.long(CURLINFO_HTTP_VERSION)
        guard reader.endsWithConnection,
            version == Int(CURL_HTTP_VERSION_1_0) || version == Int(CURL_HTTP_VERSION_1_1),
            let connection = OpenSSL.installed?.connection(of: easy)
        else { return }
        handle.context.closingConnections.add(connection)
        closingTLS = connection
    }

    func stopWatchingTLS() {
        guard let connection = closingTLS.take() else { return }
        handle.context.closingConnections.remove(connection)
    }

    /// Whether this is the body of a redirect that will be followed, and too long to be worth
    /// reading. A server may send one without end.
    func isTooLongForRedirect() -> Bool {
        // The reader of a streamed body has the head by now, and stops the transfer itself.
        guard progress.bytesReceived > ResponseBodyStream.skipLimit, transfer.stream == nil
        else { return false }
        // Computed once for each body, because it copies the head.
        let isFollowed = body.isFollowed ?? willFollow()
        body.isFollowed = isFollowed
        return isFollowed
    }

    private func willFollow() -> Bool {
        guard Redirect.isRedirect(reader.statusCode), let url else { return false }
        return request.willFollow(ResponseSummary(of: self, url).head)
    }

    // MARK: The result

    /// The response or error of an attempt that libcurl has finished with `code`.
    func result(_ code: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK || reader.isCutShort || isWholeDespite(code), let url else {
            return .failure(FailureReason.error(code, of: self))
        }
        let end = end()
        if let fault = reader.fault(at: end) { return .failure(fault.error(url)) }
        do {
            if !reader.isCutShort { try body.decoding?.finish() }
            try upload.source?.checkEnd()
            let summary = ResponseSummary(of: self, url)
            // A streamed response has been delivered by now, unless it is a challenge without a
            // body that libcurl has not answered.
            let content =
                transfer.continuation == nil ? ResponseBody.data(Data()) : try body.sink.finish()
            return .success(
                TransportResponse(
                    head: summary.head, body: content, metrics: summary.metrics,
                    trailers: reader.trailers))
        } catch {
            return .failure(error)
        }
    }

    /// The response or error of an attempt that has timed out. Its connection is not used again:
    /// the peer may be unreachable, and the next request would time out too.
    func result(of timeout: Timeout) -> Result<TransportResponse, any Error> {
        handle.closeConnectionAtEnd()
        return hasWholeAnswer ? result(CURLE_OK) : .failure(transfer.error(of: timeout))
    }

    private func end() -> ResponseReader.End {
        let hasWholeLength = easy.hasWholeLength
        var end = ResponseReader.End(
            status: easy.long(CURLINFO_RESPONSE_CODE), hasWholeLength: hasWholeLength)
        end.mayLackFrames =
            BrokenFrames.areMissed && body.decodesContent && hasWholeLength == nil
            && easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
        if let connection = closingTLS.take() {
            end.hasCloseNotify = handle.context.closingConnections.remove(connection)
        }
        return end
    }

    /// Whether the complete response had arrived before the transfer failed with `code`, as when a
    /// server does not want the rest of the request. Such a response is valid (RFC 9113, section
    /// 8.1; RFC 9114, section 4.1).
    private func isWholeDespite(_ code: CURLcode) -> Bool {
        // A server that has closed the connection does not read the rest of the request (RFC 9112,
        // section 9.5).
        if code == CURLE_SEND_ERROR, hasWholeAnswer { return true }
        let version = easy.long(CURLINFO_HTTP_VERSION)
        guard code == CURLE_PARTIAL_FILE || code == CURLE_HTTP3, reader.hasHead,
            version == Int(CURL_HTTP_VERSION_2_0) || version == Int(CURL_HTTP_VERSION_3)
        else { return false }
        return easy.hasWholeLength == true
    }

    /// Whether the response is complete by its length while libcurl still sends the request's body.
    /// `false` while the body's stream has no bytes: libcurl then finds the end itself.
    var hasWholeAnswer: Bool {
        guard upload.source != nil, failure == nil, !pausesReceiving, upload.isFlowing,
            reader.hasFinalHead
        else { return false }
        return !reader.mayHaveBody || easy.hasWholeLength == true
    }
}
#endif

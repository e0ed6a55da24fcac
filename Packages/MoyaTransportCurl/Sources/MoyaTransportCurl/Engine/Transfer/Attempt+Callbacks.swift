#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// libcurl's callbacks, on the loop's thread.
extension Attempt {
    // MARK: The connection

    /// Whether a name may be looked up, which needs descriptors.
    func mayLookUpName() -> Bool { driver.mayLookUpName(for: self) }

    /// libcurl opens another connection, so a response on an earlier one no longer counts.
    func noteNewConnection() {
        if connecting.step == .hasConnection { connecting.step = .opening }
        reader.noteConnection()
        stopWatchingTLS()
        endWaitingToSend()
    }

    /// Whether `socket` may be kept. `false` if its descriptor is reserved for the rest of the
    /// process.
    func mayKeep(_ socket: curl_socket_t) -> Bool {
        if driver.mayKeep(socket, for: self) { return true }
        connecting.lacksDescriptor = true
        return false
    }

    func noteLackOfDescriptors() { connecting.lacksDescriptor = true }

    /// Whether libcurl may write the request. libcurl writes it again after a challenge, and if a
    /// kept connection fails before the response. `endpoints` is `nil` if no guard needs them.
    func mayBegin(on endpoints: ConnectionEndpoints?) -> Bool {
        noteConnecting(driver.now)
        connecting.step = .hasConnection
        let sent = easy.long(CURLINFO_REQUEST_SIZE)
        if let fault = repetitionFault(sent: sent) {
            failure = URLError(.networkConnectionLost, fault, url: url)
            return false
        }
        let isUnusable =
            endpoints.map { handle.holdsUnsolicitedData($0, afterHead: reader.hasLines) } == true
            || handle.isClosed(endpoints)
        if isUnusable {
            handle.leaveConnection()
            // The repetition opens a connection, which only data can make unusable.
            failure =
                exchange(&transfer.repeats.metUnusableConnection, with: true)
                ? URLError(
                    .badServerResponse,
                    "The server sent data on the connection before the request.", url: url)
                : UnusableConnection()
            return false
        }
        endWaitingToSend()
        if upload.sentAtBegin != nil { resumeStream() }
        upload.sentAtBegin = sent
        if upload.source != nil { upload.isHTTP2 = handle.speaksHTTP2 == true }
        reader.noteBegin()
        received = endpoints.flatMap { ReceivedBytes(of: handle, on: $0) }
        return true
    }

    /// The reason why libcurl must not write the request again, as it is about to. `nil` if it has
    /// not written the request before, or may write it again: the request is idempotent (RFC 9110,
    /// section 9.2.2), or the server has refused it without processing it for the first time, and
    /// the body is no stream.
    ///
    /// libcurl repeats any request whose kept connection was lost, also a `POST`.
    ///
    /// - Parameter sent: Number of bytes that libcurl has sent of requests.
    private func repetitionFault(sent: Int) -> String? {
        guard let sentAtBegin = upload.sentAtBegin, sent > sentAtBegin,
            !reader.hasAnswerSinceBegin, handle.profile?.isIdempotent != true
        else { return nil }
        guard upload.refusal.isCertain else {
            return "The connection was lost before the response. The request was not repeated, "
                + "because the server may have processed it."
        }
        if transfer.hasStream { return transfer.refusalText }
        return exchange(&transfer.repeats.lostServer, with: true) ? transfer.refusalText : nil
    }

    /// Has the loop resume libcurl soon, for a request whose body is a stream. libcurl writes the
    /// request again, and ``paused`` is empty.
    ///
    /// libcurl drops a pause when it leaves a connection, because it clears `keepon`. 8.18.0 does
    /// not: it would neither read the new body, nor be resumed when that has bytes.
    private func resumeStream() {
        guard transfer.hasStream else { return }
        paused.insert(.sending)
        transfer.loop.proceed(transfer, with: .sending)
    }

    /// Takes a message of libcurl's for developers.
    func noteMessage(_ bytes: UnsafeRawBufferPointer) {
        upload.refusal.note(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: The request's body

    /// Fills `buffer` with the next bytes of the request's body. Returns their number, or the
    /// number by which libcurl pauses or aborts.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            guard let count = try upload.source?.read(into: buffer) else {
                paused.insert(.sending)
                handle.liftSpeedBound()
                checkForEarlyAnswer(after: Upload.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            if handle.isUnbound { handle.restoreSpeedBound() }
            times.lastActivity = driver.now
            progress.bytesSent = upload.source?.offset ?? 0
            if count > 0 {
                upload.sending?.hand(count)
                request.progress?(progress)
            }
            return count
        } catch {
            failure = error
            return moya_read_abort()
        }
    }

    /// Restarts the body at `offset`, after a challenge or a failed connection. `false` if that is
    /// impossible.
    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        guard case .stream(let stream) = request.body, offset == 0, upload.source?.offset != 0
        else {
            return upload.source?.seek(to: offset) ?? false
        }
        // If the stream cannot be created again, the first read reports the error.
        upload.source?.close()
        upload.source = transfer.makeSource(stream)
        return true
    }

    /// Creates the list of the request's trailer fields. `false` aborts the transfer.
    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        do {
            list = try transfer.makeTrailers()
            return true
        } catch is CurlError {
            failure = URLError(CURLE_OUT_OF_MEMORY, url: url)
        } catch {
            failure = error
        }
        return false
    }

    /// Schedules a check for the end of the response, if libcurl waits for the request's body and
    /// the final head has arrived.
    ///
    /// - Parameter wait: Time until the check, in nanoseconds.
    private func checkForEarlyAnswer(after wait: UInt64 = 0) {
        guard paused.contains(.sending), reader.hasFinalHead else { return }
        scheduleAnswerCheck(at: driver.now + wait)
    }

    // MARK: The response's head

    /// Takes a header line. `false` aborts the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        times.lastActivity = driver.now
        connecting.lacksDescriptor = false
        // Such a response has no trailer fields: this is another head.
        if closingTLS != nil { stopWatchingTLS() }
        if CookieJar.mayBeBrought(by: line), handle.profile?.sharesCookies != false {
            handle.context.cookies?.noteNew(line, from: url)
        }
        switch reader.take(line) {
        case .none: return true
        case .end:
            return receive(reader.finishHead(line, status: easy.long(CURLINFO_RESPONSE_CODE)))
        case .refused(let reason): failure = URLError(.badServerResponse, reason, url: url)
        case .outOfMemory: failure = URLError(CURLE_OUT_OF_MEMORY, url: url)
        }
        return false
    }

    private func receive(_ head: ResponseReader.Head) -> Bool {
        switch head {
        case .refused(let reason):
            failure = URLError(.badServerResponse, reason, url: url)
            return false
        case .refusedExpectation: return false
        case .challenge where ProxyScheme.isLearned(by: self, status: reader.statusCode):
            failure = OtherProxyScheme()
            return false
        case .informational, .challenge, .last: break
        }
        checkForEarlyAnswer()
        leaveConnectionWithSurplus()
        driver.noteVersion(of: self)
        if handle.profile?.isSecure == true {
            tlsAgreement = OpenSSL.installed?.agreement(of: easy)
            watchTLSEnd()
        }
        watchChunks()
        guard transfer.stream != nil || request.informational != nil else { return true }
        if case .informational = head, let url {
            request.informational?(ResponseSummary(of: self, url).head)
        } else if case .last = head {
            deliverHead()
        }
        return true
    }

    /// Delivers the head of a streamed response, once it is known to be the final one.
    private func deliverHead() {
        guard reader.isWhole, let stream = transfer.stream,
            let continuation = transfer.continuation, let url
        else { return }
        transfer.continuation = nil
        let summary = ResponseSummary(of: self, url)
        let response = TransportResponse(
            head: summary.head, body: .stream(ResponseBodyStream(stream.channel)),
            metrics: summary.metrics)
        transfer.outcome.withLock { $0 = .success(response) }
        continuation.resume()
    }

    // MARK: The response's body

    /// Takes a piece of the body. Returns the number of bytes taken, the number by which libcurl
    /// pauses, or fewer bytes than `bytes` has to abort the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        times.lastActivity = driver.now
        do {
            if !reader.hasBody { try beginBody() }
            if transfer.stream != nil { deliverHead() }
            checkForEarlyAnswer()
            let outcome = try take(bytes)
            if isTooLongForRedirect() {
                reader.cutShort()
                return 0
            }
            if outcome == .used { return bytes.count }
            paused.insert(.receiving)
            if outcome == .interrupted { transfer.loop.proceed(transfer, with: .receiving) }
            return moya_write_pause()
        } catch {
            failure = error
            return 0
        }
    }

    private func beginBody() throws(URLError) {
        if let fault = reader.beginBody(status: easy.long(CURLINFO_RESPONSE_CODE)) {
            throw fault.error(url)
        }
        let codings = body.decodesContent ? reader.contentCodings : []
        guard codings.isEmpty else {
            body.decoding = try BodyDecoding(
                codings, limit: handle.context.configuration.maxDecompressedSize,
                destinationLimit: body.sink.limit, url: url)
            return
        }
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        progress.bytesToReceive = length >= 0 ? length : nil
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws -> BodyDecoding.Outcome {
        if let decoding = body.decoding {
            return try decoding.decode(bytes, at: driver.now, write: write)
        }
        return try write(bytes) ? .used : .noRoom
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let expected = progress.bytesToReceive.flatMap(Int.init(exactly:))
        guard try body.sink.write(bytes, expected: expected) else { return false }
        progress.bytesReceived += Int64(bytes.count)
        request.progress?(progress)
        return true
    }

    /// Watches a chunked body for its last line feed, and for bytes after it. Older versions of
    /// libcurl accept a body without the one and drop the others.
    private func watchChunks() {
        guard CurlLibrary.missesLastLineFeed, reader.framing.isChunked, reader.mayHaveBody else {
            return
        }
        handle.isSpent = true
        handle.listen()
    }

    /// Takes a piece of the body with its chunk framing.
    func receiveFramed(_ bytes: UnsafeRawBufferPointer) {
        // Other versions have the debug callback for their messages alone.
        guard CurlLibrary.missesLastLineFeed else { return }
        // libcurl drops the bytes that it has read after the last chunk, and keeps the connection.
        if reader.takeFramed(bytes) { handle.leaveConnection() }
    }
}
#endif

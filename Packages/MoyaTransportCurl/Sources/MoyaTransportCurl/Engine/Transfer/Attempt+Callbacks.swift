#if CURL
import CMoyaCurl
import MoyaCore

// libcurl's callbacks, on the loop's thread.
extension Attempt {
    // MARK: The connection

    /// Whether a name may be looked up now, which needs descriptors.
    func mayLookUpName() -> Bool {
        noteConnecting(driver.now)
        return driver.descriptors.beginLookup(
            &connecting, transfer.descriptorClaim, among: driver.handles.active.count)
    }

    /// libcurl opens another connection, so a response on an earlier one no longer counts.
    func noteNewConnection() {
        if connecting.step == .hasConnection { connecting.step = .opening }
        connecting.connected = nil
        reader.noteConnection()
        stopWatchingTLS()
        endWaitingToSend()
    }

    /// Ends the lookup, as `socket` was opened. Returns `false` if its descriptor is reserved for
    /// the rest of the process: then the caller closes it.
    func keepOpened(_ socket: curl_socket_t) -> Bool {
        noteConnecting(driver.now)
        driver.descriptors.endLookup(&connecting)
        connecting.step = .opening
        connecting.connected = nil
        let (claim, count) = (transfer.descriptorClaim, driver.handles.active.count)
        if !driver.descriptors.isReserved(socket) {
            // Another transfer may find a descriptor.
            driver.retryFirstWaiter()
            // A request whose bytes have been sent cannot be started over.
        } else if !driver.descriptors.mayTakeReserve(claim, among: count), !hasSentRequest {
            connecting.lacksDescriptor = true
            return false
        }
        driver.forgottenAddresses.noteOpened(socket, by: self)
        return true
    }

    func noteLackOfDescriptors() { connecting.lacksDescriptor = true }

    /// Begins to send the request, unless it must not be sent: then returns `false`, and `failure`
    /// says why. libcurl writes the request again after a challenge, and if a kept connection fails
    /// before the response. `endpoints` is `nil` if no guard needs them.
    func beginRequest(on endpoints: ConnectionEndpoints?) -> Bool {
        noteConnecting(driver.now)
        connecting.step = .hasConnection
        let sent = easy.long(CURLINFO_REQUEST_SIZE)
        let fault = upload.repetitionFault(
            of: transfer, isIdempotent: handle.profile?.isIdempotent == true, sent: sent,
            hasAnswer: reader.hasAnswerSinceBegin)
        if let fault {
            failure = URLError(.networkConnectionLost, fault, url: url)
            return false
        }
        if let fault = connectionFault(endpoints) {
            handle.closeConnectionAtEnd()
            // Once: the next attempt opens a connection.
            failure =
                exchange(&transfer.repeats.metUnusableConnection, with: true)
                ? URLError(.badServerResponse, fault, url: url) : Restart.unusableConnection
            return false
        }
        if let endpoints, isObserved { driver.noteUse(of: endpoints, by: self) }
        endWaitingToSend()
        // A handle that has repeated a request keeps state of it, with any version.
        if upload.sentAtBegin != nil { handle.isSpent = true }
        let isHTTP2 = upload.source != nil && handle.speaksHTTP2 == true
        if upload.begin(sent: sent, isHTTP2: isHTTP2, isStream: transfer.hasStream) {
            transfer.loop.proceed(transfer, with: .sending)
        }
        if handle.profile?.previewsHead == true { handle.preview.begin() }
        reader.noteBegin()
        received = endpoints.flatMap { ReceivedBytes(of: handle, on: $0) }
        return true
    }

    /// Why the request must not be written on the connection that libcurl has chosen.
    private func connectionFault(_ endpoints: ConnectionEndpoints?) -> String? {
        if upload.hasSentTrailers, RepeatedTrailers.areBroken { return RepeatedTrailers.text }
        let hasData =
            endpoints.map { UnsolicitedData.isOn(handle, $0, afterHead: reader.hasLines) } == true
        if hasData { return "The server sent data on the connection before the request." }
        return ClosedConnections.isOne(of: handle, endpoints)
            ? "The server closed the connection before the request." : nil
    }

    /// Whether the certificates of the connection between `endpoints` are accepted.
    func isTrusted(_ endpoints: ConnectionEndpoints) -> Bool {
        guard let refusal = trust?.refusal(of: endpoints, for: self) else { return true }
        // A connection that is not evaluated yet stays open, for the transfer that opened it.
        failure = refusal
        return false
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
            guard let count = try upload.read(into: buffer) else {
                handle.suspendMinimumSpeed(true)
                scheduleAnswerCheck(at: driver.now + Upload.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            handle.suspendMinimumSpeed(false)
            times.lastActivity = driver.now
            progress.bytesSent = upload.source?.offset ?? 0
            if count > 0 {
                sending?.hand(count)
                request.progress?(progress)
            }
            return count
        } catch {
            failure = error
            return moya_read_abort()
        }
    }

    /// Goes on at `offset` of the body, after a challenge or a failed connection. `false` if that
    /// is impossible.
    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        return upload.seek(to: offset, of: transfer)
    }

    /// Creates the list of the request's trailer fields. `false` aborts the transfer.
    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        upload.hasSentTrailers = true
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

    // MARK: The response's head

    /// Takes a header line. `false` aborts the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        times.lastActivity = driver.now
        connecting.lacksDescriptor = false
        // Such a response has no trailer fields: this is another head.
        if closingTLS != nil { stopWatchingTLS() }
        if CookieJar.mayBeBrought(by: line), handle.profile?.cookies == .shared {
            handle.context.cookies?.noteNew(line, from: url)
        }
        handle.preview.noteStored(line)
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
        handle.preview.endHead(isInformational: reader.statusCode < 200)
        switch head {
        case .refused(let reason):
            failure = URLError(.badServerResponse, reason, url: url)
            return false
        case .refusedExpectation: return false
        case .challenge where ProxyScheme.isLearned(by: self, status: reader.statusCode):
            failure = Restart.otherProxyScheme
            return false
        case .informational, .challenge, .last: break
        }
        scheduleAnswerCheck(at: driver.now)
        closeConnectionWithSurplus()
        driver.noteVersion(of: self)
        if handle.profile?.isSecure == true {
            tlsAgreement = OpenSSL.installed?.agreement(of: easy)
            watchTLSEnd()
        }
        if LastLineFeed.isMissed, reader.framing.isChunked, reader.mayHaveBody {
            LastLineFeed.watch(handle)
        }
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
        guard reader.hasHead, let stream = transfer.stream,
            let continuation = transfer.continuation, let url
        else { return }
        transfer.continuation = nil
        let summary = ResponseSummary(of: self, url)
        let response = TransportResponse(
            head: summary.head, body: .stream(ResponseBodyStream(stream.channel)),
            metrics: summary.metrics)
        transfer.store(.success(response))
        continuation.resume()
    }

    // MARK: The response's body

    /// Takes a piece of the body. Returns the number of bytes taken, the number by which libcurl
    /// pauses, or fewer bytes than `bytes` has to abort the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if handle.preview.isOn { return preview(bytes) }
        times.lastActivity = driver.now
        do {
            if !reader.isReadingBody { try beginBody() }
            if transfer.stream != nil { deliverHead() }
            scheduleAnswerCheck(at: driver.now)
            let outcome = try take(bytes)
            if isTooLongForRedirect() {
                reader.cutShort()
                return 0
            }
            if outcome == .used { return bytes.count }
            pausesReceiving = true
            if outcome == .interrupted { transfer.loop.proceed(transfer, with: .receiving) }
            return moya_write_pause()
        } catch {
            failure = error
            return 0
        }
    }

    /// Takes a line of a head before libcurl stores it. Returns 0 to abort the transfer.
    private func preview(_ line: UnsafeRawBufferPointer) -> Int {
        if handle.preview.take(line) { return line.count }
        failure = URLError(.badServerResponse, ResponseReader.firstFieldFault, url: url)
        return 0
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

    /// Takes a piece of the body with its chunk framing.
    func receiveFramed(_ bytes: UnsafeRawBufferPointer) {
        // Later versions have the debug callback for messages alone (``StreamRefusal``).
        guard LastLineFeed.isMissed else { return }
        // libcurl drops the bytes that it has read after the last chunk, and keeps the connection.
        if reader.takeFramed(bytes) { handle.closeConnectionAtEnd() }
    }
}
#endif

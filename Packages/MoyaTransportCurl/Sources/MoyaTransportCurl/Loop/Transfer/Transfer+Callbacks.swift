import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What libcurl calls while it works, on the loop's thread.
extension Transfer {
    /// The most bytes of header lines that are taken, all in all. libcurl gives up later, and not always.
    private static let fieldLimit = 256 << 10
    /// How many challenges for credentials are answered. A server that calls every nonce stale (RFC 7616, section 3.3)
    /// would be asked without end.
    private static let challengeLimit = 10

    /// Takes one header line. `false` stops libcurl.
    func receiveHeader(_ line: UnsafeRawBufferPointer, for handle: CurlHandle) -> Bool {
        lastActivity = handle.driver.now
        noteAnswer()
        if CookieJar.mayBeBrought(by: line) { handle.driver.cookies?.noteNew() }
        // An informational response or an answered challenge came before: its fields are not ours.
        if beginsHead(line, handle) { leaveResponse(handle) }
        guard challengeCount < Self.challengeLimit else {
            failure = URLError(
                .badServerResponse,
                "The server or proxy refused the credential \(challengeCount) times, asking for it anew each time.",
                url: url)
            return false
        }
        fieldBytes += line.count
        receivedHead?.note(line)
        guard fieldBytes <= Self.fieldLimit else {
            failure = URLError(
                .badServerResponse,
                "The response has more than \(Self.fieldLimit) bytes of header fields.", url: url)
            return false
        }
        // What comes after the head are trailer fields, which must not pass for header fields
        // (RFC 9110, section 6.5.1).
        if isHeadWhole {
            receiveTrailers(line)
            return true
        }
        isHeadWhole = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard handle.head.append(line) else {
            failure = URLError(CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: url)
            return false
        }
        framing.note(line)
        if isHeadWhole {
            if let fault = fault(inHeadOf: handle, end: line) {
                failure = URLError(.badServerResponse, fault, url: url)
                return false
            }
            checkForEarlyAnswer(handle)
            leaveConnectionWithSurplus(handle)
            handle.driver.noteVersion(of: self, handle)
            if handle.profile?.isSecure == true {
                tlsAgreement = OpenSSL.installed?.agreement(of: handle.easy)
                watchTLSEnd(handle)
            }
            watchChunks(handle)
            finishHead(handle)
        }
        return true
    }

    /// Forgets the response that came before this one: informational, a challenge that is answered, or one of a connection
    /// that broke down.
    func leaveResponse(_ handle: CurlHandle) {
        // A challenge is a response of its own.
        if isHeadWhole, !StatusLine.isInformational(handle.head.bytes) {
            fieldBytes = 0
            challengeCount += 1
        }
        handle.head.removeAll()
        trailers = []
        isHeadWhole = false
        framing = BodyFraming()
        endsWithReturn = false
        chunks = ChunkScan()
        stopWatchingTLS()
    }

    /// The first byte of an answer has come.
    func noteAnswer() {
        hasAnswer = true
        isAnswered = true
        lacksDescriptor = false
    }

    /// Whether `line` begins a head, and is no field that looks like a status line.
    private func beginsHead(_ line: UnsafeRawBufferPointer, _ handle: CurlHandle) -> Bool {
        guard handle.head.count > 0 else { return true }
        guard isHeadWhole, !hasBody else { return false }
        // Neither a body nor trailer fields come after an informational response.
        if StatusLine.isInformational(handle.head.bytes) { return true }
        guard StatusLine.isOne(line) else { return false }
        // To agree upon who asks, libcurl first sends a request without its body where there is one.
        let negotiates =
            request.credential != nil
            && handle.configuration.authentication.contains(.negotiate)
        return StatusLine.mayBeFollowed(handle.head.bytes, whileNegotiating: negotiates)
    }

    /// Whether a body comes after the head (RFC 9112, section 6.3).
    func mayHaveBody(_ handle: CurlHandle) -> Bool {
        let statusCode = handle.easy.long(CURLINFO_RESPONSE_CODE)
        return handle.profile?.method != "HEAD" && statusCode >= 200 && statusCode != 204
            && statusCode != 304
    }

    /// What is wrong with a head that is whole, so that it is no response.
    private func fault(inHeadOf handle: CurlHandle, end: UnsafeRawBufferPointer) -> String? {
        guard let code = statusCode(of: handle) else { return Self.statusFault }
        // For libcurl each line that begins with a carriage return is the empty one, whatever is behind it.
        guard end.count <= 2, end.last == UInt8(ascii: "\n") else {
            return "A line of the response's head begins with a carriage return."
        }
        // libcurl takes what follows for the body (RFC 9110, section 15.2.2).
        if code == 101, request.urlRequest.value(forHTTPHeaderField: "Upgrade") == nil {
            return "The server switches to another protocol, which the request has not asked for."
        }
        return mayHaveBody(handle) ? framing.fault?.description : nil
    }

    /// What is wrong with a response without a ``statusCode(of:)``.
    static let statusFault = "The response's status line has no status code."

    /// The status code of the head. `nil` where libcurl goes by another line: it reads a 200 in lines that it does not
    /// understand, such as "http/1.1 404", also where such a line is the status line behind an answered challenge.
    func statusCode(of handle: CurlHandle) -> Int? {
        guard StatusLine.isOne(handle.head.bytes),
            let code = StatusLine.code(of: handle.head.bytes),
            code == handle.easy.long(CURLINFO_RESPONSE_CODE)
        else { return nil }
        return code
    }

    private func finishHead(_ handle: CurlHandle) {
        guard channel != nil || request.informational != nil else { return }
        let statusCode = handle.easy.long(CURLINFO_RESPONSE_CODE)
        if statusCode < 200, let url {
            request.informational?(summary(of: handle, url).0)
        } else if !mayBeAnswered(statusCode) {
            deliverHead(handle)
        }
    }

    /// Takes a line, or all that came while the reader held the response back: libcurl hands those over as one.
    private func receiveTrailers(_ lines: UnsafeRawBufferPointer) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            trailers.append(HeaderField(name: name, value: value))
        }
    }

    /// Fills `buffer` with the next bytes of the request's body.
    func read(_ buffer: UnsafeMutableRawBufferPointer, for handle: CurlHandle) -> Int {
        do {
            guard let count = try source?.read(into: buffer) else {
                paused.insert(.sending)
                handle.liftSpeedBound()
                checkForEarlyAnswer(handle, after: Self.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            if handle.isUnbound { handle.restoreSpeedBound() }
            lastActivity = handle.driver.now
            progress.bytesSent = source?.offset ?? 0
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

    /// Makes the list of the fields after the request's body. `false` stops libcurl.
    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        guard case .stream(let stream) = request.body, let trailers = stream.trailers?() else {
            return true
        }
        do throws(RequestError) {
            try RequestValidation.validate(trailers)
        } catch {
            failure = error
            return false
        }
        for field in trailers {
            guard let longer = curl_slist_append(list, "\(field.name): \(field.value)") else {
                failure = URLError(CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: url)
                return false
            }
            list = longer
        }
        return true
    }

    /// Whether the request may be begun. libcurl begins it again after a challenge, and where a connection that
    /// was kept breaks down before it is answered.
    func mayBegin(_ handle: CurlHandle, on endpoints: ConnectionEndpoints) -> Bool {
        let sent = handle.easy.long(CURLINFO_REQUEST_SIZE)
        if let sentAtBegin, sent > sentAtBegin, !isAnswered,
            handle.profile?.isIdempotent != true
        {
            failure = URLError(
                .networkConnectionLost,
                "The connection broke down before the answer to a request that is not to be repeated.",
                url: url)
            return false
        }
        if handle.holdsUnsolicitedData(endpoints) {
            handle.leaveConnection()
            failure =
                hasMetUnsolicitedData
                ? URLError(
                    .badServerResponse,
                    "The server sends more than the response that it was asked for.", url: url)
                : UnsolicitedData()
            return false
        }
        sentAtBegin = sent
        isAnswered = false
        receivedHead = handle.countHead(on: endpoints)
        return true
    }

    /// Has libcurl close the connection where bytes have come behind a head that no body follows.
    private func leaveConnectionWithSurplus(_ handle: CurlHandle) {
        guard let receivedHead, handle.easy.long(CURLINFO_RESPONSE_CODE) >= 200,
            framing.isEmpty || !mayHaveBody(handle), handle.hasSurplus(behind: receivedHead)
        else { return }
        handle.leaveConnection()
    }

    /// Begins the body anew, for a challenge or after the connection broke down.
    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        guard case .stream(let stream) = request.body, offset == 0, source?.offset != 0 else {
            return source?.seek(to: offset) ?? false
        }
        // Should it not be there again, the error that says so comes with the first read.
        source?.close()
        source = makeSource(stream)
        return true
    }
}

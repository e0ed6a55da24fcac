import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What libcurl calls while it works, on the loop's thread.
extension Attempt: HandleClient {
    func noteNewConnection() { leaveResponse() }

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        times.lastActivity = host.now
        noteAnswer()
        if CookieJar.mayBeBrought(by: line) { handle.context.cookies?.noteNew() }
        // An informational response or an answered challenge came before: its fields are not ours.
        if beginsHead(line) { leaveResponse() }
        switch head.take(line) {
        case .refused(let reason):
            failure = URLError(.badServerResponse, reason, url: url)
            return false
        case .trailers:
            head.addTrailers(line)
            return true
        case .field(let isLast):
            guard handle.head.append(line) else {
                failure = URLError(CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: url)
                return false
            }
            return !isLast || finishHead(line)
        }
    }

    /// The first byte of a response has come.
    func noteAnswer() {
        head.noteAnswer()
        connecting.lacksDescriptor = false
    }

    /// Forgets the response that came before this one: informational, a challenge that is answered, or one of a connection
    /// that broke down.
    private func leaveResponse() {
        head.leaveResponse(isInformational: StatusLine.isInformational(handle.head.bytes))
        handle.head.removeAll()
        (body.chunks, body.endsWithReturn) = (ChunkScan(), false)
        stopWatchingTLS()
    }

    /// Whether `line` begins a head, and is no field that looks like a status line.
    private func beginsHead(_ line: UnsafeRawBufferPointer) -> Bool {
        guard handle.head.count > 0 else { return true }
        guard head.isWhole, !body.hasBegun else { return false }
        // Neither a body nor trailer fields come after an informational response.
        if StatusLine.isInformational(handle.head.bytes) { return true }
        guard StatusLine.isOne(line) else { return false }
        // To agree upon an authentication, libcurl first sends a request without its body where there is one.
        let negotiates =
            request.credential != nil
            && handle.context.configuration.authentication.contains(.negotiate)
        return StatusLine.mayBeFollowed(handle.head.bytes, whileNegotiating: negotiates)
    }

    /// The empty line `end` has come. `false` stops libcurl.
    private func finishHead(_ end: UnsafeRawBufferPointer) -> Bool {
        if let fault = headFault(end: end) {
            failure = URLError(.badServerResponse, fault, url: url)
            return false
        }
        checkForEarlyAnswer()
        leaveConnectionWithSurplus()
        host.noteVersion(of: self)
        if handle.profile?.isSecure == true {
            head.tlsAgreement = OpenSSL.installed?.agreement(of: easy)
            watchTLSEnd()
        }
        watchChunks()
        reportHead()
        return true
    }

    /// Whether a body comes after the head (RFC 9112, section 6.3).
    var mayHaveBody: Bool {
        let statusCode = easy.long(CURLINFO_RESPONSE_CODE)
        return handle.profile?.method != "HEAD" && statusCode >= 200 && statusCode != 204
            && statusCode != 304
    }

    /// What is wrong with a head that is whole, so that it is no response.
    private func headFault(end: UnsafeRawBufferPointer) -> String? {
        guard let code = statusCode else { return Self.statusFault }
        // For libcurl each line that begins with a carriage return is the empty one, whatever is behind it.
        guard end.count <= 2, end.last == UInt8(ascii: "\n") else {
            return "A line of the response's head begins with a carriage return."
        }
        // libcurl takes what follows for the body (RFC 9110, section 15.2.2).
        if code == 101, request.urlRequest.value(forHTTPHeaderField: "Upgrade") == nil {
            return "The server switches to another protocol, which the request has not asked for."
        }
        return mayHaveBody ? head.framing.fault?.description : nil
    }

    /// What is wrong with a response without a ``statusCode``.
    static let statusFault = "The response's status line has no status code."

    /// The status code of the head. `nil` where libcurl goes by another line: it reads a 200 in lines that it does not
    /// understand, such as "http/1.1 404", also where such a line is the status line behind an answered challenge.
    var statusCode: Int? {
        guard StatusLine.isOne(handle.head.bytes),
            let code = StatusLine.code(of: handle.head.bytes),
            code == easy.long(CURLINFO_RESPONSE_CODE)
        else { return nil }
        return code
    }

    private func reportHead() {
        guard transfer.stream != nil || request.informational != nil else { return }
        let statusCode = easy.long(CURLINFO_RESPONSE_CODE)
        if statusCode < 200, let url {
            request.informational?(summary(url).0)
        } else if !mayBeAnswered(statusCode) {
            deliverHead()
        }
    }

    /// Whether libcurl may answer this response with another request, so that the sender does not get it.
    private func mayBeAnswered(_ statusCode: Int) -> Bool {
        switch statusCode {
        case ..<200: true
        case 401: request.credential != nil
        case 407: true
        // It is asked once more, without waiting for the server's consent.
        case 417: request.urlRequest.value(forHTTPHeaderField: "Expect") != nil
        default: false
        }
    }

    /// Hands over the head of a response whose body is read as it comes, as soon as it is the last one.
    func deliverHead() {
        guard head.isWhole, let stream = transfer.stream, let continuation = transfer.continuation,
            let url
        else { return }
        transfer.continuation = nil
        let (head, metrics) = summary(url)
        let response = TransportResponse(
            head: head, body: .stream(ResponseBodyStream(stream.channel)), metrics: metrics)
        transfer.outcome.withLock { $0 = .success(response) }
        continuation.resume()
    }

    // MARK: The request

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            guard let count = try upload.source?.read(into: buffer) else {
                paused.insert(.sending)
                handle.liftSpeedBound()
                checkForEarlyAnswer(after: Self.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            if handle.isUnbound { handle.restoreSpeedBound() }
            times.lastActivity = host.now
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

    func mayBegin(on endpoints: ConnectionEndpoints) -> Bool {
        let sent = easy.long(CURLINFO_REQUEST_SIZE)
        if let sentAtBegin = upload.sentAtBegin, sent > sentAtBegin, !head.hasAnswerSinceBegin,
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
                transfer.repeats.metUnsolicitedData
                ? URLError(
                    .badServerResponse,
                    "The server sends more than the response that it was asked for.", url: url)
                : UnsolicitedData()
            return false
        }
        upload.sentAtBegin = sent
        head.noteBegin(handle.countHead(on: endpoints))
        return true
    }

    /// Has libcurl close the connection where bytes have come behind a head that no body follows.
    private func leaveConnectionWithSurplus() {
        guard let received = head.received, easy.long(CURLINFO_RESPONSE_CODE) >= 200,
            head.framing.isEmpty || !mayHaveBody, handle.hasSurplus(behind: received)
        else { return }
        handle.leaveConnection()
    }

    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        guard case .stream(let stream) = request.body, offset == 0, upload.source?.offset != 0
        else {
            return upload.source?.seek(to: offset) ?? false
        }
        // Should it not be there again, the error that says so comes with the first read.
        upload.source?.close()
        upload.source = makeSource(stream)
        return true
    }

    // MARK: Descriptors

    func mayLookUpName() -> Bool {
        if host.mayLookUpName(for: self) { return true }
        connecting.lacksDescriptor = true
        return false
    }

    func mayKeep(_ socket: curl_socket_t) -> Bool {
        if host.mayKeep(socket, for: self) { return true }
        connecting.lacksDescriptor = true
        return false
    }

    func noteLackOfDescriptors() { connecting.lacksDescriptor = true }
    var isEvaluated: Bool { evaluator != nil }
}

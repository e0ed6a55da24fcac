#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// libcurl's callbacks for the head of a response, on the loop's thread.
extension Attempt {
    func noteNewConnection() {
        if connecting.step == .hasConnection { connecting.step = .opening }
        leaveResponse()
        endWaitingToSend()
    }

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        times.lastActivity = driver.now
        noteAnswer()
        if CookieJar.mayBeBrought(by: line), handle.profile?.sharesCookies != false {
            handle.context.cookies?.noteNew(line, from: url)
        }
        // An informational response or a challenge came before. Its fields are discarded.
        if beginsHead(line) { leaveResponse() }
        switch head.take(line) {
        case .refused(let reason):
            failure = URLError(.badServerResponse, reason, url: url)
            return false
        case .trailers:
            head.addTrailers(line)
            return true
        case .field(let isLast):
            guard handle.headLines.append(line) else {
                failure = URLError(CURLE_OUT_OF_MEMORY, url: url)
                return false
            }
            return !isLast || finishHead(line)
        }
    }

    /// The first byte of a response has arrived.
    func noteAnswer() {
        head.noteAnswer()
        connecting.lacksDescriptor = false
    }

    /// Discards an earlier head: of an informational response, of a challenge, or from a connection
    /// that failed.
    private func leaveResponse() {
        head.leaveResponse(isInformational: StatusLine.isInformational(handle.headLines.bytes))
        handle.headLines.removeAll()
        (body.chunks, body.endsWithReturn) = (ChunkScan(), false)
        stopWatchingTLS()
    }

    /// Handles the empty line at the end of a head. `false` aborts the transfer.
    private func finishHead(_ end: UnsafeRawBufferPointer) -> Bool {
        if let fault = headFault(end: end) {
            failure = URLError(.badServerResponse, fault, url: url)
            return false
        }
        let statusCode = easy.long(CURLINFO_RESPONSE_CODE)
        if learnsProxyScheme(status: statusCode) {
            failure = OtherProxyScheme()
            return false
        }
        // libcurl would repeat the request with its Expect field, up to eleven times. MoyaCore
        // repeats it without.
        if statusCode == 417, handle.profile?.expectsContinue == true {
            body.isCutShort = true
            return false
        }
        checkForEarlyAnswer()
        leaveConnectionWithSurplus()
        driver.noteVersion(of: self)
        if handle.profile?.isSecure == true {
            head.tlsAgreement = OpenSSL.installed?.agreement(of: easy)
            watchTLSEnd()
        }
        watchChunks()
        reportHead()
        return true
    }

    /// Whether a body may follow the head (RFC 9112, section 6.3).
    var mayHaveBody: Bool {
        let statusCode = easy.long(CURLINFO_RESPONSE_CODE)
        return handle.profile?.method != "HEAD" && statusCode >= 200 && statusCode != 204
            && statusCode != 304
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

    /// Whether libcurl may answer this response with another request, so that it is not the final
    /// one.
    private func mayBeAnswered(_ statusCode: Int) -> Bool {
        switch statusCode {
        case ..<200: true
        case 401: handle.profile?.negotiates == true
        case 407: true
        default: false
        }
    }

    /// Delivers the head of a streamed response, once it is known to be the final one.
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
}

/// The progress of receiving a response's head, and its framing fields.
struct HeadState {
    /// The kind of a header line.
    enum Line {
        /// A line of the head. `isLast` is the empty line at its end.
        case field(isLast: Bool)
        /// A trailer field (RFC 9110, section 6.5).
        case trailers
        /// An invalid line, with the reason.
        case refused(String)
    }

    /// Whether the server has responded since the attempt began, on any connection. A challenge or
    /// an informational response counts.
    private(set) var hasAnswer = false
    /// Whether the server has responded since libcurl last began to write the request.
    private(set) var hasAnswerSinceBegin = false
    /// Whether the empty line at the end of the head has arrived.
    private(set) var isWhole = false
    private var limits = HeadLimits()
    /// The head's framing fields.
    private(set) var framing = BodyFraming()
    /// Bytes of the head on its connection. `nil` if the system does not count them, or the
    /// connection is not checked.
    private(set) var received: ReceivedHead?
    /// Trailer fields of the response.
    private(set) var trailers: [HeaderField] = []
    /// The result of the connection's TLS handshake. libcurl does not keep it until the end of the
    /// transfer.
    var tlsAgreement: TLSAgreement?

    /// The first byte of a response has arrived.
    mutating func noteAnswer() { (hasAnswer, hasAnswerSinceBegin) = (true, true) }

    /// libcurl begins to write the request. `received` counts what the connection receives from
    /// then on.
    mutating func noteBegin(_ received: ReceivedHead?) {
        hasAnswerSinceBegin = false
        self.received = received
    }

    /// Takes a header line.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Line {
        if let fault = limits.fault(after: line) { return .refused(fault) }
        received?.note(line)
        // Lines after the head are trailer fields, which must not be merged into the header fields
        // (RFC 9110, section 6.5.1).
        if isWhole { return .trailers }
        isWhole = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        framing.note(line)
        return .field(isLast: isWhole)
    }

    /// Discards an earlier head: of an informational response, of a challenge, or from a connection
    /// that failed.
    mutating func leaveResponse(isInformational: Bool) {
        if isWhole, !isInformational { limits.noteChallenge() }
        trailers = []
        isWhole = false
        framing = BodyFraming()
    }

    /// Parses trailer fields. libcurl delivers fields that arrived during a pause as one piece.
    mutating func addTrailers(_ lines: UnsafeRawBufferPointer) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimmingCharacters(in: CharacterSet(charactersIn: " \t\r"))
            trailers.append(HeaderField(name: name, value: value))
        }
    }
}
#endif

#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// The head of a response, as libcurl calls back with it, on the loop's thread.
extension Attempt {
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

    /// Has libcurl close the connection where bytes have come behind a head that no body follows.
    private func leaveConnectionWithSurplus() {
        guard let received = head.received, easy.long(CURLINFO_RESPONSE_CODE) >= 200,
            head.framing.isEmpty || !mayHaveBody, handle.hasSurplus(behind: received)
        else { return }
        handle.leaveConnection()
    }
}

/// How much of the response's head has come, and what it says.
struct HeadState {
    /// What to do with a line.
    enum Line {
        /// It belongs to the head. `isLast` is the empty line at its end.
        case field(isLast: Bool)
        /// It comes behind the body (RFC 9110, section 6.5).
        case trailers
        /// There is something wrong with it: the reason.
        case refused(String)
    }

    /// The most bytes of header lines that are taken, all in all. libcurl gives up later, and not always.
    static let fieldLimit = 256 << 10
    /// How many challenges for credentials are answered. A server that calls every nonce stale (RFC 7616, section 3.3)
    /// would be asked without end.
    static let challengeLimit = 10

    /// Whether the server has replied since the attempt began. A challenge or an informational response counts, whatever the
    /// connection.
    private(set) var hasAnswer = false
    /// Whether the server has replied since libcurl last began to write the request.
    private(set) var hasAnswerSinceBegin = false
    /// Whether the empty line after the header fields has come.
    private(set) var isWhole = false
    /// Bytes of lines that are no body: before it, after it, and those of the informational responses that came first.
    private var fieldBytes = 0
    private var challengeCount = 0
    /// What the head says of where the body ends.
    private(set) var framing = BodyFraming()
    /// Bytes of the head, where the system counts those of its connection.
    private(set) var received: ReceivedHead?
    /// Header fields that came after the body.
    private(set) var trailers: [HeaderField] = []
    /// What the TLS handshake of the connection has agreed upon. libcurl has forgotten it when the transfer is over.
    var tlsAgreement: TLSAgreement?

    /// The first byte of a response has come.
    mutating func noteAnswer() { (hasAnswer, hasAnswerSinceBegin) = (true, true) }

    /// libcurl begins to write the request. `received` counts what its connection receives.
    mutating func noteBegin(_ received: ReceivedHead?) {
        hasAnswerSinceBegin = false
        self.received = received
    }

    /// Takes one header line.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Line {
        guard challengeCount < Self.challengeLimit else {
            return .refused(
                "The server or proxy refused the credential \(challengeCount) times, asking for it anew each time."
            )
        }
        fieldBytes += line.count
        received?.note(line)
        guard fieldBytes <= Self.fieldLimit else {
            return .refused("The response has more than \(Self.fieldLimit) bytes of header fields.")
        }
        // What comes after the head are trailer fields, which must not pass for header fields
        // (RFC 9110, section 6.5.1).
        if isWhole { return .trailers }
        isWhole = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        framing.note(line)
        return .field(isLast: isWhole)
    }

    /// Forgets the response that came before this one: informational, a challenge that is answered, or one of a connection
    /// that broke down.
    mutating func leaveResponse(isInformational: Bool) {
        // A challenge is a response of its own.
        if isWhole, !isInformational {
            fieldBytes = 0
            challengeCount += 1
        }
        trailers = []
        isWhole = false
        framing = BodyFraming()
    }

    /// Takes a line, or all that came while the reader held the response back: libcurl hands those over as one.
    mutating func addTrailers(_ lines: UnsafeRawBufferPointer) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            trailers.append(HeaderField(name: name, value: value))
        }
    }
}
#endif

#if CURL
import CMoyaCurl
import MoyaCore

/// What follows when libcurl has ended an attempt.
enum AttemptEnd {
    /// The transfer ends with the attempt's result.
    case result
    /// The transfer is started again.
    case again
    /// The transfer waits for a descriptor.
    case descriptor

    /// - Parameter hosts: The states of the hosts, counted for the first attempt that needs them.
    init(of attempt: Attempt, _ code: CURLcode, in driver: CurlDriver, _ hosts: inout HostStates?) {
        if attempt.failure == nil { attempt.failure = Self.shutDownFailure(code, attempt) }
        let count = driver.handles.active.count
        if driver.descriptors.isCause(of: code, attempt, among: count) {
            self = .descriptor
        } else if let failure = attempt.failure, let restart = failure as? Restart {
            if restart == .unevaluatedConnection { attempt.transfer.repeats.unevaluatedCount += 1 }
            self = .again
        } else if ProxyScheme.isLearned(by: attempt, after: code)
            || LostServer.isOne(of: attempt, code)
            || LateConnectTimeout.isOne(of: attempt, code, in: driver, &hosts)
        {
            self = .again
        } else {
            self = .result
        }
    }

    /// The error of a transfer whose connection the watchdog has shut down. `nil` if it was not
    /// shut down, or the response is complete: libcurl may take the shutdown for the end of the
    /// body.
    private static func shutDownFailure(_ code: CURLcode, _ attempt: Attempt) -> URLError? {
        let mayBeCut =
            attempt.reader.framing.endsWithConnection
            && attempt.easy.long(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1)
        guard code != CURLE_OK || mayBeCut else { return nil }
        let (handle, port) = (attempt.handle, attempt.easy.long(CURLINFO_LOCAL_PORT))
        return handle.context.watchdog.reason(handle.openedSockets, localPort: port)?
            .error(attempt.url)
    }
}

/// Why a callback has ended an attempt whose transfer is to be started again.
enum Restart: Error {
    /// The connection was opened by another transfer, and its certificates have not been evaluated.
    case unevaluatedConnection
    /// The kept connection has unread bytes before the request is written, or is closed, or the
    /// handle cannot repeat the request (``RepeatedTrailers``).
    case unusableConnection
    /// The proxy requires another authentication scheme than expected. The request is sent again on
    /// another connection: a proxy such as Squid does not read on after it has refused a body.
    case otherProxyScheme
}

/// Why libcurl has ended an attempt, from its code and its other information. Where it has nothing
/// else, ``ErrorText`` reads its message.
enum FailureReason {
    /// The error of an attempt that libcurl has ended with `code`.
    static func error(_ code: CURLcode, of attempt: Attempt) -> any Error {
        let (easy, handle, url) = (attempt.easy, attempt.handle, attempt.url)
        func failure(_ kind: URLError.Code, _ text: String, detail: String) -> URLError {
            URLError(kind, text, url: url, cause: CurlError(code, detail: detail))
        }
        // For a tunnel that the proxy refused, libcurl reports a receive error.
        let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if code == CURLE_RECV_ERROR, answer >= 300 {
            let text = "The proxy refused a tunnel with status \(answer)."
            return failure(.cannotConnectToHost, text, detail: handle.error)
        }
        if let fault = headFault(code, attempt) {
            return failure(.badServerResponse, fault, detail: "")
        }
        // libcurl 8.16 and later have no separate code for a client key that cannot be opened.
        if code == CURLE_BAD_FUNCTION_ARGUMENT, !attempt.hasSentRequest,
            handle.profile?.isSecure == true,
            handle.configuration.tls.identity != nil
        {
            let cause = CurlError(code, detail: handle.error)
            return URLError(.clientCertificateRejected, cause.message, url: url, cause: cause)
        }
        if attempt.upload.refusal.isCertain {
            let text = attempt.transfer.refusalText
            return failure(.networkConnectionLost, text, detail: text)
        }
        if ResetAnswers.isLost(code, attempt) { return ResetAnswers.error(url, code) }
        let verdicts = [CURLINFO_SSL_VERIFYRESULT, CURLINFO_PROXY_SSL_VERIFYRESULT]
        let verification = verdicts.map(easy.long).first { $0 != 0 } ?? 0
        return URLError(
            code, detail: handle.error + advice(code, verification, handle),
            verification: verification,
            url: url)
    }

    /// Advice for a certificate without a name, and for one without a known authority, if the
    /// system has no certificates.
    private static func advice(
        _ code: CURLcode, _ verification: Int, _ handle: CurlHandle
    ) -> String {
        if verification == CommonNames.hostMismatch { return ". " + CommonNames.advice }
        let tls = handle.configuration.tls
        guard tls.trust == .system, let advice = tls.authorities.advice,
            [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
        else { return "" }
        return (handle.error.isEmpty ? "\(CurlError(code).message)" : "") + ". " + advice
    }

    /// The fault of a head that libcurl rejected with a code that suggests something else. `nil` if
    /// it is not the head's.
    private static func headFault(_ code: CURLcode, _ attempt: Attempt) -> String? {
        let (easy, message) = (attempt.easy, attempt.handle.error)
        guard attempt.reader.awaitsHead, attempt.hasSentRequest else { return nil }
        let begun = attempt.reader.hasAnswer || easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0
        switch code {
        // libcurl limits a line to 100 KiB, and reports a longer one as a lack of memory.
        case CURLE_OUT_OF_MEMORY where begun && message.isEmpty, .tooLarge:
            return "A line of the response's head is too long, or the memory is used up."
        case CURLE_BAD_FUNCTION_ARGUMENT: return ResponseReader.firstFieldFault
        // The code refers to Transfer-Encoding: libcurl decodes no content coding here.
        case CURLE_BAD_CONTENT_ENCODING: return BodyFraming.Fault.coding.rawValue
        // libcurl also uses this code for unknown HTTP versions.
        case CURLE_UNSUPPORTED_PROTOCOL:
            return "The response's status line is not understood: \(message)"
        default: return nil
        }
    }
}

extension ResponseReader.Fault {
    func error(_ url: URL?) -> URLError {
        switch self {
        case .invalid(let text): URLError(.badServerResponse, text, url: url)
        case .cutOff(let text): URLError(.networkConnectionLost, text, url: url)
        }
    }
}

/// A response's head, and the metrics so far.
struct ResponseSummary {
    let head: ResponseHead
    let metrics: TransportMetrics

    init(of attempt: Attempt, _ url: URL) {
        let easy = attempt.easy
        let version = Self.versionNames(easy.long(CURLINFO_HTTP_VERSION))
        head = ResponseHead(
            statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
            httpVersion: version.statusLine, rawFields: Array(attempt.reader.head))
        metrics = Self.metrics(
            of: attempt, protocolName: version.alpn,
            isReused: easy.long(CURLINFO_NUM_CONNECTS) == 0)
    }

    /// Names of the HTTP version with libcurl's `number`.
    private static func versionNames(_ number: Int) -> (statusLine: String, alpn: String) {
        switch number {
        case 1: ("HTTP/1.0", "http/1.0")
        case 3: ("HTTP/2", "h2")
        case 30, 31: ("HTTP/3", "h3")
        default: ("HTTP/1.1", "http/1.1")
        }
    }

    /// The metrics of an attempt that has failed: the steps that it has completed.
    static func metrics(ofFailed attempt: Attempt) -> TransportMetrics {
        let number = attempt.easy.long(CURLINFO_HTTP_VERSION)
        let hasConnection = attempt.connecting.step == .hasConnection
        var metrics = Self.metrics(
            of: attempt, protocolName: number == 0 ? nil : versionNames(number).alpn,
            isReused: hasConnection ? attempt.easy.long(CURLINFO_NUM_CONNECTS) == 0 : nil)
        // libcurl does not tell these of a connection that is being opened, or of an attempt that
        // has timed out.
        func seconds(until time: UInt64) -> TimeInterval {
            Double(time &- min(time, attempt.times.submitted)) / 1e9
        }
        metrics.connect = metrics.connect ?? attempt.connecting.connected.map(seconds)
        metrics.total = seconds(until: LoopClock.now())
        return metrics
    }

    /// - Parameter isReused: Whether the attempt used a kept connection. `nil` if it had none.
    private static func metrics(
        of attempt: Attempt, protocolName: String?, isReused: Bool?
    ) -> TransportMetrics {
        let easy = attempt.easy
        // libcurl counts from when the attempt was last added to it.
        let waited = Double(attempt.times.queued - attempt.times.submitted) / 1e9
        func seconds(_ info: CURLINFO) -> TimeInterval? {
            let microseconds = easy.offset(info)
            return microseconds > 0 ? Double(microseconds) / 1e6 + waited : nil
        }
        var metrics = TransportMetrics()
        metrics.isReusedConnection = isReused
        if isReused != true {
            metrics.domainLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
            metrics.connect = seconds(CURLINFO_CONNECT_TIME_T)
            metrics.secureConnect = seconds(CURLINFO_APPCONNECT_TIME_T)
        }
        metrics.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.total = seconds(CURLINFO_TOTAL_TIME_T)
        metrics.bytesSent = easy.offset(CURLINFO_SIZE_UPLOAD_T)
        metrics.bytesReceived = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        metrics.protocolName = protocolName
        metrics.remoteAddress = easy.string(CURLINFO_PRIMARY_IP)
        let agreement = attempt.tlsAgreement
        metrics.tlsVersion = agreement?.version.map { String(cString: $0) }
        metrics.tlsCipherSuite = agreement?.cipherSuite.map { String(cString: $0) }
        return metrics
    }
}

extension DescriptorBudget<Transfer> {
    /// Whether the lack of descriptors may have made an attempt fail with `code`, which can succeed
    /// later.
    mutating func isCause(of code: CURLcode, _ attempt: Attempt, among count: Int) -> Bool {
        let claim = attempt.transfer.descriptorClaim
        guard code != CURLE_OK, count > 1 || !claim.isLastTry,
            attempt.failure == nil, !attempt.hasSentRequest
        else { return false }
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR, CURLE_ABORTED_BY_CALLBACK:
            return attempt.connecting.lacksDescriptor
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return attempt.connecting.lacksDescriptor || mayHaveFailedLookup(claim)
        default: return false
        }
    }

    /// Whether a transfer could not open a file for lack of descriptors, and can later.
    func isCause(of error: any Error, _ transfer: Transfer, among count: Int) -> Bool {
        guard count > 0 || !transfer.descriptorClaim.isLastTry, let error = error as? URLError,
            let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        else { return false }
        return cause.code == .EMFILE || cause.code == .ENFILE
    }

    /// The action for queued transfers that is due at `now`. The first of them may use the reserve
    /// if it has waited for long.
    mutating func check(
        now: UInt64, running attempts: @autoclosure () -> [Attempt]
    ) -> Check {
        let action = check(now: now)
        guard case .closeIdle(let first) = action else { return action }
        first.descriptorClaim.isImpatient = Self.isImpatient(
            since: first.state.descriptorWaitSince ?? now, now: now,
            impatientCount: attempts().count { $0.transfer.descriptorClaim.isImpatient })
        return action
    }
}
#endif

#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The result of an attempt, when libcurl has finished it.
extension Attempt {
    /// The response or error of an attempt that libcurl has finished with `code`.
    func result(_ code: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK || body.isCutShort || isWholeDespite(code), let url else {
            return .failure(reason(code))
        }
        // libcurl accepts a truncated head.
        guard head.isWhole else {
            let text = "The connection ended within the response's header fields."
            return .failure(URLError(.networkConnectionLost, text, url: url))
        }
        guard statusCode != nil else {
            return .failure(URLError(.badServerResponse, Self.statusFault, url: url))
        }
        do {
            try checkBody()
            try upload.source?.checkEnd()
            let (responseHead, metrics) = summary(url)
            // A streamed response has been delivered by now, unless it has no body.
            let content =
                transfer.continuation == nil ? ResponseBody.data(Data()) : try body.sink.finish()
            return .success(
                TransportResponse(
                    head: responseHead, body: content, metrics: metrics, trailers: head.trailers))
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ code: CURLcode) -> any Error {
        // For a tunnel that the proxy refused, libcurl reports a receive error.
        let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if code == CURLE_RECV_ERROR, answer >= 300 {
            return URLError(
                .cannotConnectToHost, "The proxy refused a tunnel with status \(answer).",
                url: url, cause: CurlError(code, detail: handle.error))
        }
        if let fault = headFault(code) {
            return URLError(.badServerResponse, fault, url: url, cause: CurlError(code))
        }
        // libcurl limits a trailer field to 4 KiB, and reports a longer one as a lack of memory;
        // 8.6 and later use a separate code.
        if code == CURLE_RECV_ERROR || code == .tooLarge,
            handle.error.hasPrefix("Out of memory in chunked-encoding")
        {
            let text = "A trailer field of the response is too long, or the memory is used up."
            return URLError(.badServerResponse, text, url: url, cause: CurlError(code))
        }
        if upload.refusal.isCertain {
            return URLError(
                .networkConnectionLost, refusalText, url: url,
                cause: CurlError(code, detail: refusalText))
        }
        // libcurl has dropped the response that arrived together with the reset.
        if hasLostAnswer(code) {
            let text = Self.lostAnswerText
            return URLError(
                .networkConnectionLost, text, url: url, cause: CurlError(code, detail: text))
        }
        // libcurl's message contains the whole proxy URL, which may hold a password. Its codes for
        // this vary.
        if handle.error.hasPrefix("Unsupported proxy") {
            let text =
                "libcurl cannot parse the proxy URL. If it is the environment's, look at http_proxy, "
                + "https_proxy and all_proxy."
            return URLError(
                .cannotConnectToHost, text, url: url, cause: CurlError(code, detail: text))
        }
        let verdicts = [CURLINFO_SSL_VERIFYRESULT, CURLINFO_PROXY_SSL_VERIFYRESULT]
        let verification = verdicts.map(easy.long).first { $0 != 0 } ?? 0
        return URLError(
            code, detail: handle.error + advice(code, verification), verification: verification,
            url: url)
    }

    static let lostAnswerText =
        "The server ended the exchange before it had the request's body, and \(CurlLibrary.name) has lost its "
        + "answer. libcurl from 8.1 on hears it."

    /// Whether libcurl has dropped a response that arrived together with a reset of its stream. It
    /// then reports the reset without an error message, or an empty response.
    private func hasLostAnswer(_ code: CURLcode) -> Bool {
        guard CurlLibrary.losesResetAnswers else { return false }
        return code == CURLE_HTTP2_STREAM && handle.error.isEmpty
            || code == CURLE_GOT_NOTHING && upload.isHTTP2
    }

    /// Advice for a certificate without a name, and for one without a known authority, if the
    /// system has no certificates.
    private func advice(_ code: CURLcode, _ verification: Int) -> String {
        if verification == OpenSSL.hostMismatch { return ". " + OpenSSL.commonNameAdvice }
        let tls = handle.context.configuration.tls
        guard tls.trust == .system, let advice = tls.authorities.advice,
            [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
        else { return "" }
        return (handle.error.isEmpty ? "\(CurlError(code).message)" : "") + ". " + advice
    }

    /// The response's head, and the metrics so far.
    func summary(_ url: URL) -> (ResponseHead, TransportMetrics) {
        let version = versionNames
        let head = ResponseHead(
            statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
            httpVersion: version.statusLine, rawFields: Data(handle.headLines.bytes))
        return (head, metrics(protocolName: version.alpn))
    }

    /// Names of the HTTP version, by libcurl's number for it.
    private var versionNames: (statusLine: String, alpn: String) {
        switch easy.long(CURLINFO_HTTP_VERSION) {
        case 1: ("HTTP/1.0", "http/1.0")
        case 3: ("HTTP/2", "h2")
        case 30, 31: ("HTTP/3", "h3")
        default: ("HTTP/1.1", "http/1.1")
        }
    }

    private func metrics(protocolName: String) -> TransportMetrics {
        // libcurl counts from when the attempt was last added to it.
        let waited = Double(times.queued - times.submitted) / 1e9
        func seconds(_ info: CURLINFO) -> TimeInterval? {
            let microseconds = easy.offset(info)
            return microseconds > 0 ? Double(microseconds) / 1e6 + waited : nil
        }
        var metrics = TransportMetrics()
        let isReused = easy.long(CURLINFO_NUM_CONNECTS) == 0
        metrics.isReusedConnection = isReused
        if !isReused {
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
        metrics.tlsVersion = head.tlsAgreement?.version.map { String(cString: $0) }
        metrics.tlsCipherSuite = head.tlsAgreement?.cipherSuite.map { String(cString: $0) }
        return metrics
    }
}
#endif

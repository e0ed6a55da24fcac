#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// What became of an attempt, now that libcurl is done with it.
extension Attempt {
    func result(_ code: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK || body.isCutShort || isWholeDespite(code), let url else {
            return .failure(reason(code))
        }
        // libcurl takes a head that breaks off for a whole one.
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
            // A stream has been handed over by now, unless there was no body.
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
        // What libcurl says of a refused tunnel is that it could not read.
        let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if code == CURLE_RECV_ERROR, answer >= 300 {
            return URLError(
                .cannotConnectToHost, "The proxy refused a tunnel with status \(answer).",
                url: url, cause: CurlError(code, detail: handle.error))
        }
        if let fault = headFault(code) {
            return URLError(.badServerResponse, fault, url: url, cause: CurlError(code))
        }
        // libcurl has no memory for a trailer field of more than 4 KiB. From 8.6 on it has a code for that.
        if code == CURLE_RECV_ERROR || code == .tooLarge,
            handle.error.hasPrefix("Out of memory in chunked-encoding")
        {
            let text = "A trailer field of the response is too long, or the memory is used up."
            return URLError(.badServerResponse, text, url: url, cause: CurlError(code))
        }
        // libcurl has thrown away what came along with the end of the stream, and says nothing.
        if code == CURLE_HTTP2_STREAM, handle.error.isEmpty, CurlLibrary.losesResetAnswers {
            let text =
                "The server ended the exchange before it had the request's body, and \(CurlLibrary.name) has lost its "
                + "answer. libcurl from 8.1 on hears it."
            return URLError(
                .networkConnectionLost, text, url: url, cause: CurlError(code, detail: text))
        }
        // libcurl names the whole URL, with a password that may be in it. It has several codes for that.
        if handle.error.hasPrefix("Unsupported proxy") {
            let text =
                "The proxy's URL is none that libcurl understands. If it is the environment's, look at http_proxy, "
                + "https_proxy and all_proxy."
            return URLError(
                .cannotConnectToHost, text, url: url, cause: CurlError(code, detail: text))
        }
        let verdicts = [CURLINFO_SSL_VERIFYRESULT, CURLINFO_PROXY_SSL_VERIFYRESULT]
        let verification = verdicts.map(easy.long).first { $0 != 0 } ?? 0
        return URLError(
            code, detail: handle.error + advice(code), verification: verification, url: url)
    }

    /// What to do where the server's certificate could not be traced to an authority, as there is none.
    private func advice(_ code: CURLcode) -> String {
        let tls = handle.context.configuration.tls
        guard tls.trust == .system, let advice = tls.authorities.advice,
            [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
        else { return "" }
        return (handle.error.isEmpty ? "\(CurlError(code).message)" : "") + ". " + advice
    }

    /// What is wrong with a head that libcurl has not taken, where its code says something else.
    private func headFault(_ code: CURLcode) -> String? {
        // Behind an informational response or a challenge, another head is awaited.
        let isAwaited =
            !head.isWhole || !body.hasBegun && StatusLine.mayBeFollowed(handle.head.bytes)
        guard isAwaited, easy.long(CURLINFO_REQUEST_SIZE) > 0 else { return nil }
        let begun = head.hasAnswer || easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0
        switch code {
        // libcurl has no memory for a line of more than 100 KiB, and for none so that it could be told apart.
        case CURLE_OUT_OF_MEMORY where begun && handle.error.isEmpty, .tooLarge:
            return "A line of the response's head is too long, or the memory is used up."
        // libcurl found no field that a line which begins with a space could belong to.
        case CURLE_BAD_FUNCTION_ARGUMENT:
            return "The response's first header field begins with a space."
        // From 8.17 on it compares the lengths itself.
        case CURLE_WEIRD_SERVER_REPLY where handle.error.hasPrefix("Invalid Content-Length"):
            return BodyFraming.Fault.length.description
        // It undoes no content coding here.
        case CURLE_BAD_CONTENT_ENCODING: return BodyFraming.Fault.coding.description
        // It says so of versions as well.
        case CURLE_UNSUPPORTED_PROTOCOL:
            return "The response's status line is not understood: \(handle.error)"
        default: return nil
        }
    }

    func summary(_ url: URL) -> (ResponseHead, TransportMetrics) {
        let version = HTTPVersionName(easy.long(CURLINFO_HTTP_VERSION))
        let head = ResponseHead(
            statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
            httpVersion: version.statusLine, rawFields: Data(handle.head.bytes))
        return (head, metrics(protocolName: version.alpn))
    }

    private func metrics(protocolName: String) -> TransportMetrics {
        func seconds(_ info: CURLINFO) -> TimeInterval? {
            let microseconds = easy.offset(info)
            return microseconds > 0 ? Double(microseconds) / 1e6 : nil
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

/// The names of a protocol version, as libcurl numbers them.
struct HTTPVersionName {
    let statusLine: String
    let alpn: String

    init(_ number: Int) {
        (statusLine, alpn) =
            switch number {
            case 1: ("HTTP/1.0", "http/1.0")
            case 3: ("HTTP/2", "h2")
            case 30, 31: ("HTTP/3", "h3")
            default: ("HTTP/1.1", "http/1.1")
            }
    }
}
#endif

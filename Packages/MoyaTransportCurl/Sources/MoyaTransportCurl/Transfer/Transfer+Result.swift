import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What became of a transfer, now that libcurl is done with it.
extension Transfer {
    func result(_ code: CURLcode, of handle: CurlHandle) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        let easy = handle.easy
        guard code == CURLE_OK, let url else {
            // What libcurl says of a refused tunnel is that it could not read.
            let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
            if code == CURLE_RECV_ERROR, answer >= 300 {
                return .failure(
                    URLError(
                        .cannotConnectToHost, "The proxy refused a tunnel with status \(answer).",
                        url: url, cause: CurlError(code, detail: handle.error)))
            }
            // libcurl has no memory for a line of more than 100 KiB, and for none so that it could be told apart.
            let saysNothing = code == CURLE_OUT_OF_MEMORY && handle.error.isEmpty
            if saysNothing || code == .tooLarge, hasAnswer, !isHeadWhole {
                let text = "A header field of the response is too long, or the memory is used up."
                return .failure(
                    URLError(.badServerResponse, text, url: url, cause: CurlError(code)))
            }
            // Nor for what a piece of the body expands to beyond 64 MiB while its reader has no room.
            if code == CURLE_OUT_OF_MEMORY || code == .tooLarge, paused.contains(.receiving) {
                let text =
                    "The response's body expands to more at once than can wait for its reader."
                return .failure(
                    URLError(
                        .dataLengthExceedsMaximum, text, url: url, cause: CurlError(code)))
            }
            let verdicts = [CURLINFO_SSL_VERIFYRESULT, CURLINFO_PROXY_SSL_VERIFYRESULT]
            let verification = verdicts.map(easy.long).first { $0 != 0 } ?? 0
            return .failure(
                URLError(code, detail: handle.error, verification: verification, url: url))
        }
        // libcurl takes a head that breaks off for a whole one.
        guard isHeadWhole else {
            let text = "The connection ended within the response's header fields."
            return .failure(URLError(.networkConnectionLost, text, url: url))
        }
        guard isWhole(easy) else {
            let text = "The response's body ended before the length that was announced."
            return .failure(URLError(.networkConnectionLost, text, url: url))
        }
        do {
            try source?.checkEnd()
            let (head, metrics) = summary(of: handle, url)
            // A stream has been handed over by now, unless there was no body.
            let body = continuation == nil ? .data(Data()) : try sink.finish()
            return .success(
                TransportResponse(head: head, body: body, metrics: metrics, trailers: trailers))
        } catch {
            return .failure(error)
        }
    }

    /// Whether as much of the body has come as the server announced. libcurl takes some bodies for whole that
    /// broken HTTP/2 frames cut off.
    private func isWhole(_ easy: EasyHandle) -> Bool {
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        guard length > 0, request.urlRequest.httpMethod != "HEAD" else { return true }
        // No body comes with these (RFC 9110, section 6.4.1).
        switch easy.long(CURLINFO_RESPONSE_CODE) {
        case 204, 304: return true
        default: return easy.offset(CURLINFO_SIZE_DOWNLOAD_T) >= length
        }
    }

    func summary(of handle: CurlHandle, _ url: URL) -> (ResponseHead, TransportMetrics) {
        let easy = handle.easy
        let version = HTTPVersionName(easy.long(CURLINFO_HTTP_VERSION))
        let head = ResponseHead(
            statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
            httpVersion: version.statusLine, rawFields: Data(handle.head.bytes))
        return (head, metrics(easy, protocolName: version.alpn))
    }

    private func metrics(_ easy: EasyHandle, protocolName: String) -> TransportMetrics {
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

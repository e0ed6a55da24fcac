#if CURL
import CMoyaCurl
import MoyaCore

/// A response's head, and the metrics so far.
struct ResponseSummary {
    let head: ResponseHead
    let metrics: TransportMetrics

    init(of attempt: Attempt, _ url: URL) {
        let easy = attempt.easy
        let version = Self.versionNames(easy.long(CURLINFO_HTTP_VERSION))
        head = ResponseHead(
            statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
            httpVersion: version.statusLine, rawFields: Data(attempt.reader.head))
        metrics = Self.metrics(of: attempt, protocolName: version.alpn)
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

    private static func metrics(
        of attempt: Attempt, protocolName: String
    ) -> TransportMetrics {
        let easy = attempt.easy
        // libcurl counts from when the attempt was last added to it.
        let waited = Double(attempt.times.queued - attempt.times.submitted) / 1e9
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
        let agreement = attempt.tlsAgreement
        metrics.tlsVersion = agreement?.version.map { String(cString: $0) }
        metrics.tlsCipherSuite = agreement?.cipherSuite.map { String(cString: $0) }
        return metrics
    }
}
#endif

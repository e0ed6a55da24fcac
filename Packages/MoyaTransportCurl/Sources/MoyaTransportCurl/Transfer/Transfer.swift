import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and response on its way through libcurl.
///
/// Made by the one who asks, then handed over to the loop: from then on only the loop's thread
/// touches it.
final class Transfer: @unchecked Sendable {
    // Safe to send: the asking task sets `continuation` before it submits the transfer, and the inbox's
    // lock orders that before the loop's first look. A cancel reaches it as a command as well.
    let request: TransportRequest
    let configuration: CurlTransport.Configuration
    var continuation: UnsafeContinuation<Void, Never>?
    /// What the transfer came to. Behind a lock, which hands it from the loop to the one who asks in a way
    /// that ThreadSanitizer can see; what a continuation does is hidden from it.
    let outcome = Locked(Result<TransportResponse, any Error>.failure(URLError(.unknown)))
    var isCancelled = false

    /// The handle while the transfer is under way.
    var handle: UnsafeMutableRawPointer?
    /// When the last byte moved, on the clock of the loop.
    var lastActivity: UInt64 = 0
    var headers: UnsafeMutablePointer<curl_slist>?
    /// The header lines of the response, as they came.
    var rawHead = Data()
    /// Whether the empty line after them has come.
    var isHeadWhole = false
    var source: BodySource?
    var sink: any BodySink = MemorySink(limit: 0)
    /// Why a callback stopped libcurl.
    var failure: URLError?
    /// Where libcurl writes what went wrong.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    var progress = TransferProgress()

    init(_ request: TransportRequest, _ configuration: CurlTransport.Configuration) {
        self.request = request
        self.configuration = configuration
        errorText.pointee = 0
    }

    deinit {
        errorText.deallocate()
    }

    /// Whether the connection it uses has carried a response. Not known where a challenge may have
    /// led to another connection since.
    var hasStandingConnection: Bool { isHeadWhole && request.credential == nil }

    /// How long nothing may move, in nanoseconds. `nil` is for ever.
    var idleAllowance: UInt64? {
        let seconds = request.urlRequest.timeoutInterval
        guard seconds > 0, seconds < 1e9 else { return nil }
        return UInt64(seconds * 1e9)
    }

    /// Hands over the result, once, and gives back what the transfer held.
    func finish(_ result: Result<TransportResponse, any Error>) {
        handle = nil
        curl_slist_free_all(headers)
        headers = nil
        source?.close()
        source = nil
        if case .failure = result { sink.discard() }
        sink = MemorySink(limit: 0)
        guard let continuation else { return }
        self.continuation = nil
        outcome.withLock { $0 = result }
        continuation.resume()
    }

    /// What became of the transfer, now that libcurl is done with it.
    func result(_ code: CURLcode, _ easy: EasyHandle) -> Result<TransportResponse, any Error> {
        let url = request.urlRequest.url
        if let failure { return .failure(failure) }
        guard code == CURLE_OK, let url else {
            let verification = easy.long(CURLINFO_SSL_VERIFYRESULT)
            return .failure(
                URLError(
                    code, detail: String(cString: errorText), verification: verification, url: url))
        }
        // libcurl takes a head that breaks off for a whole one.
        guard isHeadWhole else {
            let text = "The connection ended within the response's header fields."
            return .failure(URLError(.networkConnectionLost, text, url: url))
        }
        do {
            let version = HTTPVersionName(easy.long(CURLINFO_HTTP_VERSION))
            let head = ResponseHead(
                statusCode: easy.long(CURLINFO_RESPONSE_CODE), url: url,
                httpVersion: version.statusLine, rawFields: rawHead)
            let body = try sink.finish()
            return .success(
                TransportResponse(
                    head: head, body: body, metrics: metrics(easy, protocolName: version.alpn)))
        } catch {
            return .failure(error)
        }
    }

    private func metrics(_ easy: EasyHandle, protocolName: String) -> TransportMetrics {
        func seconds(_ info: CURLINFO) -> TimeInterval? {
            let microseconds = easy.offset(info)
            return microseconds > 0 ? Double(microseconds) / 1e6 : nil
        }
        var metrics = TransportMetrics()
        metrics.isReusedConnection = easy.long(CURLINFO_NUM_CONNECTS) == 0
        if metrics.isReusedConnection == false {
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

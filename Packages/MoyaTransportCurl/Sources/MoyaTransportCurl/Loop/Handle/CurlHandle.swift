import CMoyaCurl
import Foundation
import MoyaCore

/// An easy handle for one transfer at a time, and what its callbacks need.
///
/// Lives on the loop's thread. To set every option again for each request costs a tenth of a whole
/// exchange, so where libcurl allows it (``CurlLibrary/reusesHandles``) the options stay while the next request is of the
/// same kind. See ``HandleProfile``.
final class CurlHandle {
    private(set) var easy: EasyHandle
    /// Owns the handle, and so outlives it.
    unowned(unsafe) let driver: CurlDriver
    /// The transfer it carries.
    var transfer: Transfer?
    /// What its options are set for. `nil` while none is set.
    @exclusivity(unchecked) var profile: HandleProfile?
    /// Whether it carries no other transfer: its options are not what its profile says, or libcurl has taken the
    /// host for cookies from a request's Host field, and keeps it for as long as the handle lives.
    var isSpent = false
    /// Whether the bound on the speed is lifted.
    var isUnbound = false
    /// The sockets that have been opened for its transfer.
    @exclusivity(unchecked) var openedSockets: [curl_socket_t] = []
    /// Its place among the active ones.
    var index = 0
    /// The header fields of the request.
    @exclusivity(unchecked) var requestHeaders = HeaderList()
    /// The header lines of the response, as they came.
    @exclusivity(unchecked) var head = RawBytes()
    /// Where libcurl writes what went wrong.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// `nil` when the memory is used up.
    init?(driver: CurlDriver) {
        guard let raw = curl_easy_init() else { return nil }
        easy = EasyHandle(raw: raw, refusedOption: driver.configuration.refusedOption)
        self.driver = driver
        errorText.pointee = 0
    }

    deinit {
        driver.isClosingHandle = true
        curl_easy_cleanup(easy.raw)
        driver.isClosingHandle = false
        requestHeaders.deallocate()
        head.deallocate()
        errorText.deallocate()
    }

    var error: String { String(cString: errorText) }

    /// Forgets what belonged to the last transfer.
    func clear() {
        if transfer?.evaluator != nil { driver.connections.forget(self) }
        transfer = nil
        errorText.pointee = 0
        openedSockets.removeAll(keepingCapacity: true)
        requestHeaders.removeAll()
        // The memory for an uncommonly large head is not kept.
        if head.count > 16 << 10 { head.deallocate() } else { head.removeAll() }
    }

    /// Closes a connection over QUIC whose transfer ends before its time. libcurl would let it lie until the next
    /// transfer: the server hears of the end only then, and what was lost on the way before holds that transfer up.
    func leaveQUIC() {
        switch driver.configuration.httpVersion {
        case .http3, .http3Only: leaveConnection()
        case .automatic, .http1, .http2PriorKnowledge: break
        }
    }

    /// Has libcurl close the connection when the transfer ends, unless others use it. By itself it does that only
    /// where nobody could.
    func leaveConnection() {
        isSpent = true
        // Where that is refused, the connection lies.
        try? easy.set(CURLOPT_FORBID_REUSE, true)
    }

    /// Forgets every option, if any is set. Connections belong to the multi handle and stay. `false` if there is
    /// no memory left.
    ///
    /// `curl_easy_reset` does not say when it had no memory for a default, and leaves out those that follow. And it
    /// loses the list of cookie files.
    func renew() -> Bool {
        guard profile != nil else { return true }
        guard let raw = curl_easy_init() else { return false }
        curl_easy_cleanup(easy.raw)
        easy = EasyHandle(raw: raw, refusedOption: easy.refusedOption)
        profile = nil
        return true
    }

    /// The handle that libcurl knows as `easy`.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let easy else { return nil }
        var user: UnsafeMutableRawPointer?
        _ = moya_easy_get_pointer(easy, CURLINFO_PRIVATE, &user)
        return from(user)
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlHandle? {
        pointer.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does `body` for what libcurl calls back about, once for each header line and piece of a body. The driver holds
    /// the handle while libcurl works on it, so that nobody has to count one more holder each time.
    static func withTransfer<Result>(
        _ pointer: UnsafeMutableRawPointer?, _ body: (Transfer, CurlHandle) -> Result
    ) -> Result? {
        pointer.flatMap { pointer in
            Unmanaged<CurlHandle>.fromOpaque(pointer)._withUnsafeGuaranteedRef { handle in
                handle.transfer.map { transfer in
                    handle.driver.watchdog.outside { body(transfer, handle) }
                }
            }
        }
    }
}

/// Everything that decides about a handle's options, but for those that are set for each request: URL,
/// header fields and the length of the body.
///
/// A handle goes from one request to the next with its options only if both have equal profiles.
struct HandleProfile: Equatable {
    enum Body {
        case none, empty, bytes
        /// Worth larger pieces.
        case manyBytes
        /// As many as come.
        case chunks
    }

    var method: String
    var isIdempotent: Bool { HTTPMethod(rawValue: method).isIdempotent }
    var isSecure: Bool
    var body: Body
    var isForFile: Bool
    /// Whether fields come after the request's body.
    var hasTrailers = false
    var hasUserAgent: Bool
    var hasAuthorization = false
    /// Whether there is a Host field of the request's own, where cookies are kept.
    var hasHost = false
    /// Whether the request does without the cookies that are kept.
    var refusesCookies = false
    var sharesCookies: Bool { !hasHost && !refusesCookies }
    /// Whether the request has cookies of its own besides those that are kept.
    var hasCookie = false
    /// Requests with credentials never share options: libcurl keeps what it learnt from a challenge.
    var hasCredential: Bool

    /// The public keys the host may have, as libcurl takes them.
    var pins: String?
    /// Whether the host's certificate is looked at.
    var isVerified = true
    /// What is checked for an evaluator.
    var validation: TrustValidation?

    mutating func judge(_ host: String, by tls: CurlTransport.Configuration.TLS) {
        pins = tls.pins(for: host)
        isVerified = tls.verifies(host)
    }

    /// Whether a handle with this profile may be used for `next` as it is.
    func serves(_ next: HandleProfile) -> Bool {
        self == next && !hasCredential
    }
}

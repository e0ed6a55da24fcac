#if CURL
import CMoyaCurl
import MoyaCore

/// An easy handle for one transfer at a time, with the state that its callbacks need.
///
/// Used on the loop's thread only. Setting all options takes a tenth of an exchange, so a handle
/// keeps them while the next request has an equal ``HandleProfile``, where libcurl allows it
/// (`Defects/HandleReuse.swift`).
final class CurlHandle: PooledHandle, CallbackUser {
    var easy: EasyHandle
    /// Outlives the handle.
    unowned(unsafe) let context: HandleContext
    /// The attempt that it carries, which handles the callbacks.
    var attempt: Attempt? { didSet { uncounted = attempt.map(Unmanaged.passUnretained) } }
    /// The same, without counting references in each callback.
    private var uncounted: Unmanaged<Attempt>?
    private let watchdog: Unmanaged<StallWatchdog>
    /// The profile that the options are set for. `nil` if none are set.
    var profile: HandleProfile?
    /// Whether the handle must not be reused: its options differ from its profile, or libcurl keeps
    /// state of the transfer, as of a failed or repeated one, or of its cookies' host.
    var isSpent = false
    /// Whether the minimum speed is suspended.
    var suspendsMinimumSpeed = false
    /// The sockets opened for the current transfer.
    var openedSockets: [curl_socket_t] = []
    var preview = HeadPreview()
    /// Index among the active handles.
    var index = 0
    /// The request's header fields.
    // Safe, as in `CurlDriver`: building a list calls nothing.
    @exclusivity(unchecked) var requestHeaders = HeaderList()
    /// Memory for the header lines of the next response.
    private var lineStorage = RawBytes()
    /// libcurl's error message for the transfer.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// Returns `nil` if there is no memory.
    init?(_ context: HandleContext) {
        guard let raw = curl_easy_init() else { return nil }
        easy = EasyHandle(raw: raw, options: context.options)
        self.context = context
        watchdog = .passUnretained(context.watchdog)
        errorText.pointee = 0
    }

    deinit {
        context.isClosingHandle = true
        curl_easy_cleanup(easy.raw)
        context.isClosingHandle = false
        requestHeaders.deallocate()
        lineStorage.deallocate()
        errorText.deallocate()
    }

    var configuration: CurlTransport.Configuration { context.configuration }
    var error: String { String(cString: errorText) }

    /// Whether each request has a separate connection. Unix domain sockets have no ports to
    /// identify a connection by.
    var hasSeparateConnection: Bool { configuration.network.unixSocket != nil }

    /// Whether the connection in use is HTTP/2. `nil` if that is unknown: only OpenSSL reports
    /// ALPN's result.
    var speaksHTTP2: Bool? {
        let version = configuration.httpVersion
        guard profile?.isSecure == true, version != .http1 else {
            return version == .http2PriorKnowledge
        }
        return OpenSSL.installed?.speaksHTTP2(easy)
    }

    /// Removes the state of the last transfer.
    func clear() {
        if attempt?.trust != nil { context.evaluated.forget(self) }
        attempt = nil
        preview = HeadPreview()
        errorText.pointee = 0
        openedSockets.removeAll(keepingCapacity: true)
        requestHeaders.removeAll()
    }

    func takeLineStorage() -> RawBytes { exchange(&lineStorage, with: RawBytes()) }

    /// Keeps `storage` for the next response, unless a large head has filled it.
    func giveBack(lineStorage storage: consuming RawBytes) {
        if storage.count > 16 << 10 { storage.deallocate() } else { storage.removeAll() }
        lineStorage.deallocate()
        lineStorage = storage
    }

    /// Closes a QUIC connection whose transfer ends early. libcurl would leave it idle until the
    /// next transfer: the server would notice the end only then, and lost packets would delay that
    /// transfer.
    func leaveQUIC() {
        let version = configuration.httpVersion
        if version == .http3 || version == .http3Only { closeConnectionAtEnd() }
    }

    /// Makes libcurl close the connection at the end of the transfer, unless other transfers use
    /// it. Without this, libcurl closes only connections that it knows cannot be reused.
    ///
    /// - Parameter socket: A socket that is shut down if that fails. Otherwise the connection stays
    ///   idle in the pool.
    func closeConnectionAtEnd(orShutDown socket: curl_socket_t? = nil) {
        isSpent = true
        do throws(CurlError) {
            try easy.set(CURLOPT_FORBID_REUSE, true)
        } catch {
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// The handle that owns libcurl's `easy`.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let easy else { return nil }
        var user: UnsafeMutableRawPointer?
        _ = moya_easy_get(easy, CURLINFO_PRIVATE, &user)
        return from(user)
    }

    /// Calls `body` for a callback of libcurl, once for each header line and piece of a body. The
    /// loop retains the handle and its attempt while libcurl uses them, so no reference is counted
    /// here.
    static func withAttempt<Result>(
        _ pointer: UnsafeMutableRawPointer?, _ body: (Attempt) -> Result
    ) -> Result? {
        pointer.flatMap { pointer in
            Unmanaged<CurlHandle>.fromOpaque(pointer)._withUnsafeGuaranteedRef { handle in
                handle.uncounted?._withUnsafeGuaranteedRef { attempt in
                    handle.watchdog._withUnsafeGuaranteedRef { $0.outside { body(attempt) } }
                }
            }
        }
    }
}

extension CurlHandle {
    /// Whether the handle's options fit `next`, so that it can be used without a change. Only if
    /// libcurl keeps no state that affects the next request.
    func serves(_ next: HandleProfile) -> Bool {
        profile == next && !next.negotiates && (next.previewsHead || !HandleReuse.needsPreview)
    }

    /// Sets the options for `next`, after removing earlier ones by replacing the easy handle.
    /// Connections belong to the multi handle and stay open.
    ///
    /// `curl_easy_reset` does not report that it had no memory for a default, and then skips the
    /// remaining ones. It also loses the list of cookie files.
    func prepare(for next: HandleProfile) throws(CurlError) {
        if profile != nil {
            guard let raw = curl_easy_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
            curl_easy_cleanup(easy.raw)
            easy = EasyHandle(raw: raw, options: context.options)
            profile = nil
        }
        try setOptions(for: next)
        profile = next
    }
}

/// The properties of a request that determine a handle's options. The URL, the header fields and
/// the body's length are not among them, because they are set for each request.
///
/// A handle keeps its options for the next request only if both profiles are equal.
struct HandleProfile: Equatable {
    /// Whether the request uses the stored cookies.
    enum CookieUse {
        case shared
        /// Not with its own `Host` field.
        case ownHost
        /// It opts out of them.
        case refused
    }

    enum Body {
        case none, empty, bytes
        /// Long enough to benefit from a larger buffer.
        case manyBytes
        /// Of unknown length.
        case chunks
    }

    let method: String
    var isIdempotent: Bool { HTTPMethod(rawValue: method).isIdempotent }
    let isSecure: Bool
    let body: Body
    var isForFile = false
    /// Whether the request has trailer fields.
    var hasTrailers = false
    /// Whether the request has more bytes of header fields than ``LongHead/bytes``.
    var hasLongHead = false
    var hasUserAgent = false
    var hasAuthorization = false
    var cookies = CookieUse.shared
    /// Whether the request has its own `Cookie` field, while cookies are stored.
    var hasCookie = false
    /// Whether the request waits for `100 Continue` before it sends its body.
    var expectsContinue = false
    /// Whether libcurl may answer a Negotiate challenge. Such requests do not reuse options,
    /// because libcurl keeps state of their challenges.
    var negotiates = false
    var proxyScheme = ProxyScheme.basic
    /// Whether the write callback gets the lines of heads (``HeadPreview``). Not if libcurl may
    /// answer a challenge, or the server another protocol: other bytes may follow a head then.
    var previewsHead = false

    var trust = Trust()

    /// The checks of the host's certificate.
    struct Trust: Equatable {
        /// The host's pinned keys, in the form of `CURLOPT_PINNEDPUBLICKEY`.
        var pins: String?
        /// Whether the certificate is verified.
        var isVerified = true
        /// The checks that an evaluator requires.
        var validation: TrustValidation?

        /// Whether a certificate has to be for the host.
        var checksHost: Bool { isVerified && validation?.validatesHost != false }
    }
}
#endif

#if CURL
import CMoyaCurl
import Foundation

/// State that the easy handles of a loop share. Used on the loop's thread only. Outlives every
/// handle and connection.
final class HandleContext: CallbackUser {
    let configuration: CurlTransport.Configuration
    let limits: TimeLimits
    /// Whether some hosts have other certificate checks than the rest: pins, or no verification.
    let judgesHosts: Bool
    /// Whether libcurl may answer a challenge of a proxy for `http` URLs.
    let mayAnswerProxy: Bool
    let options: OptionCheck
    let watchdog: StallWatchdog
    /// Is notified of closed sockets. Owns the context, and so outlives it.
    unowned(unsafe) var driver: CurlDriver?
    /// The shared cookies. `nil` if none are stored.
    var cookies: CookieJar?
    /// Host overrides as a list for `CURLOPT_RESOLVE`.
    private(set) var hostOverrides: UnsafeMutablePointer<curl_slist>?
    /// The proxy's header fields as a list for `CURLOPT_PROXYHEADER`.
    private(set) var proxyFields: UnsafeMutablePointer<curl_slist>?
    /// The authentication scheme that the proxy required last.
    var proxyScheme = ProxyScheme.basic
    /// Whether a handle is being closed, together with its DNS-over-HTTPS lookups.
    var isClosingHandle = false

    /// The connections whose changes are reported.
    // Safe, as in `CurlDriver`: an observer is called after the access.
    @exclusivity(unchecked) var observedConnections = ObservedConnections()

    // State of the guards against faulty servers and connections.
    var evaluated = EvaluatedConnections()
    var closingConnections = ClosingConnections()
    var handshakes = HandshakeLimit()
    var sockets = SocketsByEndpoints()

    /// - Throws: `CurlError` if libcurl refuses an option or has no memory, and `POSIXError` if the
    ///   system cannot create a thread.
    init(_ configuration: CurlTransport.Configuration, options: OptionCheck) throws {
        self.configuration = configuration
        limits = TimeLimits(configuration)
        self.options = options
        let tls = configuration.tls
        judgesHosts = !tls.pinnedKeys.isEmpty || !tls.dangerouslyUnverifiedHosts.isEmpty
        mayAnswerProxy = configuration.proxy.hasPlainCredential
        watchdog = try StallWatchdog(interval: 0.25)
        do {
            cookies = try CookieJar(configuration.cookies, options: options)
            hostOverrides = try configuration.network.makeOverrides()
            proxyFields = try configuration.proxy.makeFields()
        } catch {
            release()
            throw error
        }
    }

    /// Frees libcurl's objects, when no handle and no connection is left.
    func release() {
        cookies = nil
        curl_slist_free_all(hostOverrides)
        curl_slist_free_all(proxyFields)
        (hostOverrides, proxyFields) = (nil, nil)
        watchdog.stop()
    }

    /// Records a socket that libcurl has opened for `handle`.
    func open(_ socket: curl_socket_t, for handle: CurlHandle) {
        evaluated.open(socket, by: handle.attempt?.trust != nil ? handle : nil)
        watchdog.open(socket)
        watchdog.noteProgress()
    }

    /// Closes `socket` for libcurl.
    func close(_ socket: curl_socket_t) -> Int32 {
        driver?.willClose(socket)
        watchdog.close(socket)
        if !observedConnections.isEmpty {
            observedConnections.close(socket, at: LoopClock.now())?()
        }
        sockets.remove(socket)
        evaluated.close(socket)
        handshakes.close(socket)
        return Foundation.close(socket)
    }
}

/// A handle that a ``HandlePool`` keeps for reuse.
protocol PooledHandle: AnyObject {
    /// Index among the active handles. Set by the pool.
    var index: Int { get set }
    /// Whether the handle must not be reused.
    var isSpent: Bool { get }
    /// Removes the state of the last transfer.
    func clear()
}

/// A loop's handles: the active ones, and idle ones for reuse.
struct HandlePool<Handle: PooledHandle> {
    /// The number of idle handles that are always kept. Each holds a few KiB. Under load, as many
    /// are kept as are active: creating a handle for each request costs time and fragments memory.
    private static var leastIdle: Int { 256 }

    private(set) var active: [Handle] = []
    private(set) var idle: [Handle] = []

    /// Takes the handle that was given back last. `nil` if none is idle.
    mutating func takeIdle() -> Handle? { idle.popLast() }

    /// Adds `handle` to the active handles.
    mutating func activate(_ handle: Handle) {
        handle.index = active.count
        active.append(handle)
    }

    /// Removes `handle` from the active handles.
    mutating func end(_ handle: Handle) {
        let last = active.removeLast()
        guard last !== handle else { return }
        active[handle.index] = last
        last.index = handle.index
    }

    /// Keeps `handle` for reuse, unless it must not be used again or enough are idle.
    mutating func giveBack(_ handle: Handle) {
        handle.clear()
        if handle.isSpent { return }
        idle.append(handle)
        while idle.count > max(Self.leastIdle, active.count) { idle.removeLast() }
    }

    /// Closes the idle handles.
    mutating func removeIdle() { idle = [] }
}

extension HandlePool<CurlHandle> {
    /// The running attempts.
    var attempts: [Attempt] { active.compactMap(\.attempt) }
}
#endif

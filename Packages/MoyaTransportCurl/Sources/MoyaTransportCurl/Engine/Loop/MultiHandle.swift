#if CURL
import CMoyaCurl

/// libcurl's multi handle, which owns the connections. Tells the watchdog of each call that may run
/// callbacks.
///
/// Used on the loop's thread only.
final class MultiHandle {
    // Both are safe, as in `CurlDriver`: they are copied, or set between calls of libcurl and in
    // its callbacks, and no access spans a call.

    /// `nil` until the first transfer starts, and after ``close()``.
    @exclusivity(unchecked) private var raw: UnsafeMutableRawPointer?
    @exclusivity(unchecked) var timer = CurlTimer()
    /// Number of connections closed so far.
    var closedCount = 0
    private let context: HandleContext
    private let limits: ConnectionLimits

    init(_ context: HandleContext, _ limits: ConnectionLimits) {
        (self.context, self.limits) = (context, limits)
    }

    /// Creates libcurl's handle, unless it exists.
    ///
    /// - Parameter driver: Handles the callbacks, and outlives the handle.
    func open(for driver: CurlDriver) throws(CurlError) {
        if raw != nil { return }
        guard let new = curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        raw = UnsafeMutableRawPointer(new)
        WakeSockets.closeOnExec(of: UnsafeMutableRawPointer(new))
        do throws(CurlError) {
            try setCallbacks(driver.me)
            try limitConnections(beside: 0)
            try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        } catch {
            close()
            throw error
        }
    }

    private func setCallbacks(_ driver: UnsafeMutableRawPointer) throws(CurlError) {
        let watch: curl_socket_callback = { easy, socket, what, user, _ in
            CurlDriver.from(user)?.socketChanged(socket, what, of: easy) == false ? -1 : 0
        }
        try set(CURLMOPT_SOCKETFUNCTION, callback: watch, data: CURLMOPT_SOCKETDATA, user: driver)
        let setTimer: curl_multi_timer_callback = { _, milliseconds, user in
            if let driver = CurlDriver.from(user) {
                driver.multi.timer.set(milliseconds: milliseconds, lastNow: driver.now)
            }
            return 0
        }
        try set(CURLMOPT_TIMERFUNCTION, callback: setTimer, data: CURLMOPT_TIMERDATA, user: driver)
    }

    /// Sets a callback of the C type that `option` requires, and the pointer that it receives.
    private func set<Callback>(
        _ option: CURLMoption, callback: Callback, data: CURLMoption, user: UnsafeRawPointer
    ) throws(CurlError) {
        try check(data, moya_multi_set_pointer(raw, data, user))
        let function = unsafeBitCast(callback, to: UnsafeRawPointer.self)
        try check(option, moya_multi_set_pointer(raw, option, function))
    }

    /// Closes the handle with all its connections.
    func close() {
        guard let closing = raw.take() else { return }
        timer = CurlTimer()
        context.watchdog.enter()
        curl_multi_cleanup(closing)
        context.watchdog.leave()
    }

    private func set(_ option: CURLMoption, _ value: Int) throws(CurlError) {
        try check(option, moya_multi_set_long(raw, option, max(0, value)))
    }

    private func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        try context.options.check(option, code)
    }

    // MARK: Transfers

    func add(_ easy: EasyHandle) throws(CurlError) {
        let code = curl_multi_add_handle(raw, easy.raw)
        if code != CURLM_OK { throw CurlError(code) }
    }

    func remove(_ easy: EasyHandle) {
        context.watchdog.enter()
        _ = curl_multi_remove_handle(raw, easy.raw)
        context.watchdog.leave()
    }

    /// Tells libcurl that `socket` is ready for the events in `bits`, or that its timer is due.
    /// Returns the number of running transfers.
    func act(_ socket: curl_socket_t, _ bits: Int32) throws(CurlError) -> Int {
        guard let raw else { return 0 }
        var running: Int32 = 0
        context.watchdog.enter()
        let code = curl_multi_socket_action(raw, socket, EarlyRefusals.readingFirst(bits), &running)
        context.watchdog.leave()
        // The negative code is no error.
        guard code.rawValue <= CURLM_OK.rawValue else { throw CurlError(code) }
        return Int(running)
    }

    /// The next finished attempt, and its result. `nil` if there is none.
    func nextFinished() -> (attempt: Attempt, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let attempt = CurlHandle.of(easy)?.attempt
            else { continue }
            return (attempt, moya_message_result(message))
        }
        return nil
    }

    // MARK: Connections

    /// Sets the size of libcurl's connection pool. It counts idle connections and those of the
    /// `count` running transfers together.
    func resizePool(beside count: Int) throws(CurlError) {
        try set(CURLMOPT_MAXCONNECTS, max(1, limits.idle + count - 1))
        if limits.includeLookups { try limitConnections(beside: count) }
    }

    /// Sets libcurl's connection limits. With DNS over HTTPS, they include the connections for the
    /// lookups of `count` transfers.
    ///
    /// A transfer has its place in the queue before its host's name is resolved. The two lookups
    /// for it are transfers as well and need a connection each. libcurl before 8.9 does not open
    /// one beyond the limits, and later versions do not open one beyond the limit for each host.
    func limitConnections(beside count: Int) throws(CurlError) {
        var (host, total) = (limits.perHost, limits.total)
        if limits.includeLookups {
            // When a transfer ends, libcurl wakes the first waiting one. With few places that may
            // always be a transfer that waits for a lookup, so that its lookup never gets a
            // connection.
            if host > 0 { host = min(host, 1 << 24) + 2 * count }
            // Transfers that may share a connection have not waited for a place. With this limit,
            // lookups proceed in turn and do not exhaust the process's descriptors.
            if total > 0 { total = max(total, count + min(2 * count, 16)) }
        }
        try set(CURLMOPT_MAX_HOST_CONNECTIONS, host)
        try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, total)
    }

    /// Closes idle connections as long as there are more than `count` connections, with those of
    /// the `active` running transfers.
    func closeIdleConnections(above count: Int, beside active: Int) throws(CurlError) {
        guard raw != nil else { return }
        var before = -1
        while before != closedCount {
            before = closedCount
            // With the dummy request there would be more connections than this limit, so libcurl
            // closes an idle one.
            try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, count + 1)
            try runDummyRequest()
        }
        try limitConnections(beside: active)
    }

    /// Starts a request that may not open a socket. libcurl has no function to close connections
    /// that are too old or too many, or to forget names: it does so when a transfer starts.
    ///
    /// - Parameter names: Entries of `CURLOPT_RESOLVE` that remove names from libcurl's DNS cache.
    func runDummyRequest(removing names: [String] = []) throws(CurlError) {
        var removals: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(removals) }
        guard raw != nil, let dummy = curl_easy_init() else { return }
        defer { curl_easy_cleanup(dummy) }
        let easy = EasyHandle(raw: dummy, options: context.options)
        do throws(CurlError) {
            removals = try CurlLibrary.makeList(names)
            try easy.set(CURLOPT_URL, "http://127.0.0.1/")
            try easy.set(CURLOPT_PROXY, "")
            try easy.set(CURLOPT_NOSIGNAL, true)
            try easy.set(CURLOPT_FRESH_CONNECT, true)
            let idleTimeout = context.configuration.idleTimeout
            try easy.set(CURLOPT_MAXAGE_CONN, CurlHandle.seconds(idleTimeout))
            try easy.set(CURLOPT_RESOLVE, pointer: removals)
            let open: curl_opensocket_callback = { _, _, _ in CURL_SOCKET_BAD }
            try easy.set(
                CURLOPT_OPENSOCKETFUNCTION, callback: open, data: CURLOPT_OPENSOCKETDATA, user: nil)
            try add(easy)
        } catch {
            // Without memory, connections stay open until the next transfer, and names for 30
            // seconds.
            return
        }
        defer { remove(easy) }
        _ = try act(CURL_SOCKET_TIMEOUT, 0)
    }
}

/// libcurl's timer.
struct CurlTimer {
    /// When it is due, in nanoseconds of ``LoopClock``. `nil` if it is not set.
    private(set) var due: UInt64?

    /// Sets the timer, or removes it if `milliseconds` is negative.
    ///
    /// - Parameters:
    ///   - lastNow: The clock's time when it was last read.
    ///   - clock: Reads the clock.
    mutating func set(milliseconds: Int, lastNow: UInt64, clock: () -> UInt64 = LoopClock.now) {
        switch milliseconds {
        case ..<0: due = nil
        case 0: due = lastNow
        default:
            // Counted from the current time: libcurl 8.10 and 8.11.0 do not set the timer again if
            // it fires too early.
            due = clock() + UInt64(min(milliseconds, 1_000_000_000)) * 1_000_000
        }
    }

    /// Whether the timer is due. Resets it if so.
    mutating func take(_ now: UInt64) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        return true
    }
}

/// A loop's share of the connection limits. 0 means no limit.
struct ConnectionLimits {
    let total: Int
    let perHost: Int
    /// The largest number of idle connections.
    let idle: Int
    /// Whether libcurl also counts the connections of lookups: those of DNS over HTTPS.
    let includeLookups: Bool

    /// - Parameter count: The number of loops that share the limits.
    init(_ configuration: CurlTransport.Configuration, shareOf count: Int) {
        let limit = configuration.connectionLimit
        total = limit > 0 ? max(1, limit / count) : 0
        perHost = max(0, configuration.maxConnectionsPerHost)
        // The upper bound exceeds any descriptor limit, and leaves room for additions.
        idle = min(max(1, configuration.maxIdleConnections / count), 1 << 24)
        includeLookups = configuration.network.dnsOverHTTPS != nil
    }
}
#endif

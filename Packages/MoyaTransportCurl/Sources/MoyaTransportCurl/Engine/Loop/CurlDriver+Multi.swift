#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The multi handle: creation, callbacks, connection limits, and giving it up.
extension CurlDriver {
    /// Creates the multi handle, unless it exists.
    func openMulti() throws {
        if multi.raw != nil { return }
        guard let new = curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        multi.raw = UnsafeMutableRawPointer(new)
        multi.closeWakeSocketsOnExec()
        do throws(CurlError) {
            try listenToCurl()
            try limitConnections(beside: 0)
            try multi.set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        } catch {
            multi.raw = nil
            curl_multi_cleanup(new)
            throw error
        }
    }

    /// Fails every transfer, and closes the multi handle with all connections. The next transfer
    /// creates a new one.
    ///
    /// Used when libcurl reports that it has no memory for its table of sockets and transfers. The
    /// table is inconsistent from then on: a transfer may wait for a socket that is not watched,
    /// and the next transfer on the same connection divides by zero.
    func giveUpMulti(_ cause: CurlError) {
        let broken = multi.raw
        takeMessages()
        for attempt in handles.attempts {
            fail(attempt.transfer, with: URLError(cause, url: attempt.url))
        }
        (multi.raw, multi.timer) = (nil, nil)
        watchdog.enter()
        curl_multi_cleanup(broken)
        watchdog.leave()
        beginReady()
    }

    /// Sets the size of libcurl's connection pool. It counts idle connections and those of the
    /// `count` running transfers together.
    func resizePool(beside count: Int) throws(CurlError) {
        try multi.set(CURLMOPT_MAXCONNECTS, max(1, idleConnections.limit + count - 1))
        if configuration.network.dnsOverHTTPS != nil { try limitConnections(beside: count) }
    }

    /// Sets libcurl's connection limits. With DNS over HTTPS, they include the connections for the
    /// lookups of `count` transfers.
    ///
    /// A transfer has its place in the queue before its host's name is resolved. The two lookups
    /// for it are transfers as well and need a connection each. libcurl before 8.9 does not open
    /// one beyond the limits, and later versions do not open one beyond the limit for each host.
    func limitConnections(beside count: Int) throws(CurlError) {
        var (host, total) = (queue.perHost, queue.total)
        if configuration.network.dnsOverHTTPS != nil {
            // When a transfer ends, libcurl wakes the first waiting one. With few places that may
            // always be a transfer that waits for a lookup, so that its lookup never gets a
            // connection.
            if host > 0 { host = min(host, 1 << 24) + 2 * count }
            // Transfers that may share a connection have not waited for a place. With this limit,
            // lookups proceed in turn and do not exhaust the process's descriptors.
            if total > 0 { total = max(total, count + min(2 * count, 16)) }
        }
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, host)
        try multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, total)
    }

    // MARK: libcurl's callbacks

    private func listenToCurl() throws(CurlError) {
        // libcurl keeps the pointer for as long as `multi` lives. `self` lives longer.
        let me = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLMOPT_SOCKETDATA, CURLMOPT_TIMERDATA] {
            try multi.set(option, pointer: me)
        }
        try multi.check(
            CURLMOPT_SOCKETFUNCTION,
            moya_multi_set_socket_callback(multi.raw) { easy, socket, what, user, _ in
                CurlDriver.from(user)?.socketChanged(socket, what, of: easy) == false ? -1 : 0
            })
        try multi.check(
            CURLMOPT_TIMERFUNCTION,
            moya_multi_set_timer_callback(multi.raw) { _, milliseconds, user in
                if let driver = CurlDriver.from(user) {
                    driver.multi.setTimer(milliseconds: milliseconds, lastNow: driver.now)
                }
                return 0
            })
    }

    /// Watches the socket as libcurl requests. With `false`, libcurl fails the call with an error,
    /// and the driver gives up the multi handle (``giveUpMulti(_:)``): the socket would not be
    /// watched.
    private func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) -> Bool {
        watchdog.noteProgress()
        switch what {
        case CURL_POLL_REMOVE:
            // libcurl reports that it closes a socket only once its connection is established. It
            // closes a socket that is still connecting, and the resolver's own, without a callback.
            let handle = CurlHandle.of(easy)
            // The socket of a DNS-over-HTTPS lookup whose result is no longer needed. libcurl would
            // keep the unfinished connection. After a shutdown, it removes the connection at its
            // next check.
            if context.isClosingHandle, handle == nil { shutdown(socket, Int32(SHUT_RDWR)) }
            // The close callback is not called for an address that has not answered in time, with
            // libcurl 7.88 to 8.1.
            forgottenAddresses.noteClosed(socket)
            let attempt = handle?.attempt
            attempt?.upload.sending?.leave(socket)
            attempt?.noteUnheard(socket)
            if attempt?.hasStandingConnection == true {
                poller.rest(socket)
            } else {
                poller.forget(socket)
            }
            return true
        default:
            CurlHandle.of(easy)?.attempt?.upload.sending?.use(socket)
            return poller.watch(
                socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
    }
}
#endif

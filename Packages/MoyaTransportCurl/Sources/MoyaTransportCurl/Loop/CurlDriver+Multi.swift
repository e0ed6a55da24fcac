#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The multi handle: how it is made, what it asks for, and how it is given up.
extension CurlDriver {
    /// Makes the multi handle, unless there is one.
    func openMulti() throws {
        if multi.raw != nil { return }
        guard let new = curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        multi.raw = UnsafeMutableRawPointer(new)
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

    /// Fails every transfer, and closes every connection with the multi handle. The next transfer gets a new one.
    ///
    /// libcurl says so when it has no memory left for its list of who uses which socket. That list is broken from
    /// then on: a transfer may wait for a socket that is not watched, and the next one on the same connection
    /// divides by zero.
    func giveUpMulti(_ cause: CurlError) {
        let broken = multi.raw
        takeMessages()
        for attempt in handles.attempts {
            fail(
                attempt.transfer,
                with: URLError(.unknown, cause.message, url: attempt.url, cause: cause))
        }
        (multi.raw, multi.timer) = (nil, nil)
        watchdog.enter()
        curl_multi_cleanup(broken)
        watchdog.leave()
        beginReady()
    }

    /// Keeps as many idle connections as there may be beside those of `count` transfers. libcurl counts both.
    func resizePool(beside count: Int) throws(CurlError) {
        try multi.set(CURLMOPT_MAXCONNECTS, max(1, idleConnections.limit + count - 1))
        if configuration.network.dnsOverHTTPS != nil { try limitConnections(beside: count) }
    }

    /// Has libcurl open no more connections than there may be, and those that `count` transfers ask for names over.
    ///
    /// A transfer has its place before its host's name is resolved. The two questions for that are transfers as well, and
    /// need a place each, which libcurl before 8.9 does not give them beyond the limit, and later ones not beyond the
    /// one for each host.
    func limitConnections(beside count: Int) throws(CurlError) {
        var (host, total) = (queue.perHost, queue.total)
        if configuration.network.dnsOverHTTPS != nil {
            // Of those that wait, libcurl wakes the first for each that ends. With few places that may always be one that
            // waits for a name, and no lookup is left to bring it.
            if host > 0 { host = min(host, 1 << 24) + 2 * count }
            // What may share a connection has not waited for a place. With that many places and some, the questions
            // come in turn, and the process is not out of descriptors.
            if total > 0 { total = max(total, count + min(2 * count, 16)) }
        }
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, host)
        try multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, total)
    }

    // MARK: What libcurl asks for

    private func listenToCurl() throws(CurlError) {
        // libcurl keeps the pointer for as long as `multi` lives, which is less long than `self` does.
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
                    driver.multi.setTimer(milliseconds: milliseconds, now: driver.now)
                }
                return 0
            })
    }

    /// `false` makes libcurl give up, and so the multi handle: see ``giveUpMulti(_:)``. The socket would not be watched.
    private func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) -> Bool {
        watchdog.noteProgress()
        switch what {
        case CURL_POLL_REMOVE:
            // libcurl tells us that a socket is closed once its connection stands. One that is still
            // connecting, or the resolver's own, is closed behind our back.
            let handle = CurlHandle.of(easy)
            // A question for a name over HTTPS, whose answer is not awaited any more. libcurl would keep the connection,
            // half made as it may be. A dead one goes as soon as libcurl looks at those it has.
            if context.isClosingHandle, handle == nil { shutdown(socket, Int32(SHUT_RDWR)) }
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

import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The multi handle: how it is made, what it asks for, and how it is given up.
extension CurlDriver {
    /// Makes the multi handle, unless there is one.
    func openMulti() throws {
        if multi != nil { return }
        guard let new = curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        multi = UnsafeMutableRawPointer(new)
        do throws(CurlError) {
            try listenToCurl()
            try set(CURLMOPT_MAX_HOST_CONNECTIONS, max(0, configuration.maxConnectionsPerHost))
            try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, connectionLimit)
            try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        } catch {
            multi = nil
            curl_multi_cleanup(new)
            throw error
        }
    }

    /// Fails every transfer, and closes every connection with the multi handle. The next transfer gets a new one.
    ///
    /// libcurl says so when it has no memory left for its list of who uses which socket. That list is broken from
    /// then on: a transfer may wait for a socket that nobody watches, and the next one on the same connection
    /// divides by zero.
    func giveUpMulti(_ cause: CurlError) {
        let broken = multi
        takeMessages()
        for transfer in active.compactMap(\.transfer) {
            end(transfer, with: URLError(.unknown, cause.message, url: transfer.url, cause: cause))
        }
        multi = nil
        timer = nil
        curl_multi_cleanup(broken)
        beginReady()
    }

    /// Keeps as many idle connections as there may be beside those of `count` transfers. libcurl counts both.
    func resizePool(beside count: Int) throws(CurlError) {
        try set(CURLMOPT_MAXCONNECTS, max(1, idleLimit + count - 1))
    }

    func set(_ option: CURLMoption, _ value: Int) throws(CurlError) {
        try check(option, moya_multi_set_long(multi, option, max(0, value)))
    }

    private func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        guard code == CURLM_OK else { throw CurlError(code) }
        if option == configuration.refusedMultiOption { throw CurlError(CURLM_OUT_OF_MEMORY) }
    }

    // MARK: What libcurl asks for

    private func listenToCurl() throws(CurlError) {
        // libcurl keeps the pointer for as long as `multi` lives, which is less long than `self` does.
        let me = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLMOPT_SOCKETDATA, CURLMOPT_TIMERDATA] {
            try check(option, moya_multi_set_pointer(multi, option, me))
        }
        try check(
            CURLMOPT_SOCKETFUNCTION,
            moya_multi_set_socket_callback(multi) { easy, socket, what, user, _ in
                CurlDriver.from(user)?.socketChanged(socket, what, of: easy)
                return 0
            })
        try check(
            CURLMOPT_TIMERFUNCTION,
            moya_multi_set_timer_callback(multi) { _, milliseconds, user in
                CurlDriver.from(user)?.timerChanged(milliseconds)
                return 0
            })
    }

    private func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) {
        switch what {
        case CURL_POLL_REMOVE:
            // libcurl tells us that a socket is closed once its connection stands. One that is still
            // connecting, or the resolver's own, is closed behind our back.
            let handle = CurlHandle.of(easy)
            // A question for a name over HTTPS, which nobody waits for any more. libcurl would keep the connection,
            // half made as it may be. A dead one goes as soon as libcurl looks at those it has.
            if isClosingHandle, handle == nil { shutdown(socket, Int32(SHUT_RDWR)) }
            let transfer = handle?.transfer
            if let transfer { noteUnheard(socket, of: transfer) }
            if transfer?.hasStandingConnection == true {
                poller.rest(socket)
            } else {
                poller.forget(socket)
            }
        default:
            poller.watch(
                socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
    }

    private func timerChanged(_ milliseconds: Int) {
        timer = milliseconds < 0 ? nil : now + UInt64(min(milliseconds, 1_000_000_000)) * 1_000_000
    }
}

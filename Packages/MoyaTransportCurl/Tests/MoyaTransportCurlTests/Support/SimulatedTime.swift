import CMoyaCurl

@testable import MoyaTransportCurl

extension CurlDriver {
    /// Checks all timeouts as if it were `time`, in nanoseconds of ``LoopClock``.
    func checkTimes(asAt time: UInt64) {
        now = time
        checkTimes()
        now = LoopClock.now()
        // libcurl's timer was set with the simulated time.
        act(CURL_SOCKET_TIMEOUT, 0)
    }
}

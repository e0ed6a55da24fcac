#if CURL
import CMoyaCurl

// Requests that fail although they have only waited. From 8.8 on, libcurl counts the time that a
// transfer waits for a connection in use towards its connect timeout, and checks it when the
// transfer may go on.
extension CurlDriver {
    /// Whether an attempt failed although it has not begun to connect, and may be sent again. Once,
    /// if no connection of its host is in use any more: it may have waited for a server that cannot
    /// be reached.
    func isLateConnectTimeout(_ code: CURLcode, _ attempt: Attempt) -> Bool {
        guard code == CURLE_OPERATION_TIMEDOUT, attempt.failure == nil, attempt.waitsForConnection
        else { return false }
        return hostStates().state(of: hostKeys.key(for: attempt.url)) == .inUse
            || attempt.takeSecondWait()
    }
}
#endif

#if CURL
// Versions: 8.8.0 and later.
// Test: LateConnectTimeoutTests.
// Without them: nothing.

import CMoyaCurl

/// Requests that fail although they have only waited. From 8.8 on, libcurl counts the time that a
/// transfer waits for a connection in use towards its connect timeout, and checks it when the
/// transfer may go on.
enum LateConnectTimeout {
    /// Whether an attempt failed although it has not begun to connect, and may be sent again. Once,
    /// if no connection of its host is in use any more: it may have waited for a server that cannot
    /// be reached.
    ///
    /// - Parameter hosts: The states of the hosts, counted for the first such attempt.
    static func isOne(
        of attempt: Attempt, _ code: CURLcode, in driver: CurlDriver, _ hosts: inout HostStates?
    ) -> Bool {
        guard code == CURLE_OPERATION_TIMEDOUT, attempt.failure == nil, attempt.waitsForConnection
        else { return false }
        let states = hosts ?? driver.hostStates()
        hosts = states
        return states.state(of: driver.hostKeys.key(for: attempt.url)) == .inUse
            || !exchange(&attempt.transfer.repeats.waitedForConnection, with: true)
    }
}
#endif

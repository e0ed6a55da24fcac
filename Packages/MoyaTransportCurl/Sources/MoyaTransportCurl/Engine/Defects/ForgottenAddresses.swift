#if CURL
// Versions: 7.88.0 to 8.3.0.
// Test: ForgottenAddressesTests.
// Without them: this file, and `forgottenAddresses` of `CurlDriver` with its uses.

import CMoyaCurl

/// Wakes attempts to which an address has refused a connection, or has not answered. Before 8.4,
/// libcurl then selects the next address of the host, but does not set a timer to connect to it.
/// Another address is tried after the time for Happy Eyeballs, or half of the connect timeout, or
/// not at all.
struct ForgottenAddresses {
    static let areForgotten = (0x075800..<0x080400).contains(CurlLibrary.version)

    private var connecting: [curl_socket_t: Attempt] = [:]
    private var refused: [Attempt] = []

    mutating func noteOpened(_ socket: curl_socket_t, by attempt: Attempt) {
        if Self.areForgotten { connecting[socket] = attempt }
    }

    mutating func noteClosed(_ socket: curl_socket_t) {
        guard !connecting.isEmpty, let attempt = connecting.removeValue(forKey: socket),
            attempt.connecting.step != .hasConnection
        else { return }
        refused.append(attempt)
    }

    /// Removes the sockets of an attempt that ends.
    mutating func forget(_ attempt: Attempt) {
        if !refused.isEmpty { refused.removeAll { $0 === attempt } }
        guard !connecting.isEmpty else { return }
        for socket in attempt.handle.openedSockets where connecting[socket] === attempt {
            connecting[socket] = nil
        }
    }

    /// The attempts to wake.
    mutating func takeRefused() -> [Attempt] { refused.isEmpty ? [] : exchange(&refused, with: []) }

    /// Makes libcurl connect to the next address of the attempt's host.
    static func wake(_ attempt: Attempt) {
        guard attempt.transfer.attempt === attempt else { return }
        // A pause that begins and ends sets the missing timer.
        for pause in [attempt.paused.union(.sending), attempt.paused] {
            _ = curl_easy_pause(attempt.easy.raw, pause.rawValue)
        }
    }
}
#endif

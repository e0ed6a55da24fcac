#if CURL
// Versions: before 8.15.0.
// Test: CloseNotifyTests, ClosingConnectionsTests.
// Without them: this file, `watchTLSEnd`, `stopWatchingTLS` and `closingTLS` of `Attempt`,
//   `closingConnections` of `HandleContext`, the case `alertRecord` in `OpenSSL.watchMessages`,
//   and `hasCloseNotify` of `ResponseReader.End`.

/// TLS connections whose end is the end of a response's body, and whether the server has sent
/// close_notify.
///
/// Without close_notify, an attacker or intermediary may have closed the connection, so the body is
/// incomplete (RFC 9112, section 9.8). libcurl before 8.15 accepts it as complete.
struct ClosingConnections {
    private(set) var isAnnounced: [OpaquePointer: Bool] = [:]

    /// Starts to wait for the connection's close_notify.
    mutating func add(_ connection: OpaquePointer) { isAnnounced[connection] = false }

    /// The server has sent close_notify.
    mutating func noteAnnouncement(on connection: OpaquePointer) {
        if isAnnounced[connection] != nil { isAnnounced[connection] = true }
    }

    /// Removes the connection. Returns whether its close_notify has arrived.
    @discardableResult
    mutating func remove(_ connection: OpaquePointer) -> Bool {
        isAnnounced.removeValue(forKey: connection) ?? false
    }
}
#endif

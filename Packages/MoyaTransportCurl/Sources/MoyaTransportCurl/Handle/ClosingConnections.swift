import Foundation

/// TLS connections whose end is the end of a response's body, and whether the server has announced it.
///
/// A close without the alert close_notify may be an intermediary's: the body is incomplete (RFC 9112, section 9.8).
/// libcurl before 8.15 takes it for whole.
struct ClosingConnections {
    private var isAnnounced: [OpaquePointer: Bool] = [:]

    var isEmpty: Bool { isAnnounced.isEmpty }

    /// Begins to wait for the announcement.
    mutating func add(_ connection: OpaquePointer) { isAnnounced[connection] = false }

    /// The server has announced the end.
    mutating func noteAnnouncement(on connection: OpaquePointer) {
        if isAnnounced[connection] != nil { isAnnounced[connection] = true }
    }

    /// Forgets the connection. Returns whether its end was announced.
    @discardableResult
    mutating func remove(_ connection: OpaquePointer) -> Bool {
        isAnnounced.removeValue(forKey: connection) ?? false
    }
}

extension CurlHandle {
    /// Has the driver hear how the TLS connection in use ends, as far as libcurl works with OpenSSL.
    func watchTLSEnd() -> OpaquePointer? {
        guard let library = OpenSSL.installed, let connection = library.connection(of: easy) else {
            return nil
        }
        driver.closingConnections.add(connection)
        // The driver outlives every connection.
        library.watch(connection, with: Unmanaged.passUnretained(driver).toOpaque()) {
            isSent, _, type, bytes, count, connection, driver in
            // An alert (RFC 8446, section 6): its level, and 0 for close_notify.
            guard isSent == 0, type == 21, count == 2, let connection,
                bytes?.load(fromByteOffset: 1, as: UInt8.self) == 0
            else { return }
            CurlDriver.from(driver)?.closingConnections.noteAnnouncement(on: connection)
        }
        return connection
    }
}

#if CURL
import Foundation

/// TLS connections whose end is the end of a response's body, and whether the server has announced it.
///
/// A close without the alert close_notify may be an intermediary's: the body is incomplete (RFC 9112, section 9.8).
/// libcurl before 8.15 takes it for whole.
struct ClosingConnections {
    private(set) var isAnnounced: [OpaquePointer: Bool] = [:]

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
    /// Has the driver note how the TLS connection in use ends, as far as libcurl works with OpenSSL.
    func watchTLSEnd() -> OpaquePointer? {
        guard let connection = OpenSSL.installed?.connection(of: easy) else { return nil }
        context.closingConnections.add(connection)
        return connection
    }
}
#endif

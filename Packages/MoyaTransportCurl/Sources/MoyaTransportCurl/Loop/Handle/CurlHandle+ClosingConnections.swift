import Foundation

extension CurlHandle {
    /// Has the driver note how the TLS connection in use ends, as far as libcurl works with OpenSSL.
    func watchTLSEnd() -> OpaquePointer? {
        guard let connection = OpenSSL.installed?.connection(of: easy) else { return nil }
        context.closingConnections.add(connection)
        return connection
    }
}

/// The progress of a request. Byte counts of bodies, without those of redirects.
public struct TransferProgress: Sendable, Equatable {
    /// Request body bytes sent to the network.
    public var bytesSent: Int64
    /// Size of the request body in bytes, if known.
    public var bytesToSend: Int64?
    /// Response body bytes received, after decompression.
    public var bytesReceived: Int64
    /// Size of the response body in bytes, if the server declared it.
    public var bytesToReceive: Int64?

    /// Creates a progress value, for transports and tests. An unknown size is `nil`.
    public init(
        bytesSent: Int64 = 0, bytesToSend: Int64? = nil,
        bytesReceived: Int64 = 0, bytesToReceive: Int64? = nil
    ) {
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
    }
}

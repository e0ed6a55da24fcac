/// How far an exchange has come. Counts are bytes of body, redirects not included.
public struct TransferProgress: Sendable, Equatable {
    /// Bytes of request body handed to the network.
    public var bytesSent: Int64
    /// The length of the request body, where it is known.
    public var bytesToSend: Int64?
    /// Bytes of response body received, after decompression.
    public var bytesReceived: Int64
    /// The length of the response body, where the server announced it.
    public var bytesToReceive: Int64?

    /// For transports, and for tests that play one. A length of `nil` is not known.
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

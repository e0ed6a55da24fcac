import CMoyaCurl

/// What a handle carries. Answers libcurl's callbacks, on the loop's thread.
protocol HandleClient: AnyObject {
    /// Takes one header line. `false` stops libcurl.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool
    /// Takes a piece of the body. Returns how many bytes were taken, or the number by which libcurl pauses.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int
    /// Takes a piece of the body in its framing.
    func receiveFramed(_ bytes: UnsafeRawBufferPointer)

    /// Fills `buffer` with the next bytes of the request's body. Returns how many there are, or the number by which libcurl
    /// pauses or aborts.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int
    /// Begins the body anew, for a challenge or after the connection broke down. `false` where that cannot be done.
    func seek(_ offset: Int64) -> Bool
    /// Makes the list of the fields after the request's body. `false` stops libcurl.
    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool

    /// Whether the request may be begun. libcurl begins it again after a challenge, and where a connection that was kept
    /// breaks down before it is answered.
    func mayBegin(on endpoints: ConnectionEndpoints) -> Bool
    /// Whether the connection's certificates have to be evaluated.
    var isEvaluated: Bool { get }
    /// Whether a request may be written to the connection between these.
    func isTrusted(_ endpoints: ConnectionEndpoints) -> Bool

    /// Whether a name may be looked up, which takes descriptors.
    func mayLookUpName() -> Bool
    /// Whether a socket may be kept, or has to be left to the rest of the process.
    func mayKeep(_ socket: curl_socket_t) -> Bool
    /// The system has no descriptor left.
    func noteLackOfDescriptors()
    /// What an earlier connection has answered says nothing of the one that begins now.
    func noteNewConnection()
}

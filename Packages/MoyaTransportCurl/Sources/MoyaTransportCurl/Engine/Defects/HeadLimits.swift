#if CURL
/// Stops a server that sends header fields or challenges without end.
struct HeadLimits {
    /// The most bytes of header lines in a response. libcurl's own limits are higher and not always
    /// applied.
    private static let fieldLimit = 256 << 10
    /// The most challenges that are answered. A server that reports every nonce as stale (RFC 7616,
    /// section 3.3) would otherwise be challenged again without end.
    static let challengeLimit = 10

    /// Size of the header and trailer lines, including those of informational responses.
    private var fieldBytes = 0
    private var challengeCount = 0

    /// Counts a header or trailer line. Returns the fault of a response that exceeds a limit with
    /// it, or `nil`.
    mutating func fault(after line: UnsafeRawBufferPointer) -> String? {
        guard challengeCount < Self.challengeLimit else {
            return
                "The server or proxy rejected the request \(challengeCount) times. It was sent again each time."
        }
        fieldBytes += line.count
        guard fieldBytes <= Self.fieldLimit else {
            return "The response has more than \(Self.fieldLimit) bytes of header fields."
        }
        return nil
    }

    /// The head was that of a challenge, which is a response by itself: the next one's fields are
    /// counted from 0.
    mutating func noteChallenge() {
        fieldBytes = 0
        challengeCount += 1
    }
}
#endif

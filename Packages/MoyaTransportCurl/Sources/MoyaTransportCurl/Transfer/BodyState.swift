/// How much of the response's body has come, and where it goes.
struct BodyState {
    /// Whether a byte of it has come.
    var hasBegun = false
    /// Whether the request leaves it to the transport to decode the body.
    var decodesContent = true
    /// Decodes the body, where it has a content coding.
    var decoding: BodyDecoding?
    var sink = BodySink.none
    /// Whether the response is a redirect that is going to be followed. `nil` until its body is long enough to matter.
    var isFollowed: Bool?
    /// Whether the rest of a redirect's body is left unread.
    var isCutShort = false
    /// How far a body in chunks has come, where libcurl shows it.
    var chunks = ChunkScan()
    /// Whether the last byte that came of a body in chunks is a carriage return.
    var endsWithReturn = false
    /// The TLS connection whose orderly end is the end of the body.
    var closingTLS: OpaquePointer?
}

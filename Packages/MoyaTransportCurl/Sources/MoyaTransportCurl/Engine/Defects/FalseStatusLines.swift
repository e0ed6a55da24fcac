#if CURL
import MoyaCore

// Fields that look like a status line. libcurl passes each line of heads and trailers to the same
// callback, so a server could make such a field pass for the head of another response.
extension Attempt {
    /// Whether `line` begins a head, rather than being a field that looks like a status line.
    func beginsHead(_ line: UnsafeRawBufferPointer) -> Bool {
        guard handle.headLines.count > 0 else { return true }
        guard head.isWhole, !body.hasBegun else { return false }
        // An informational response has neither a body nor trailer fields.
        if StatusLine.isInformational(handle.headLines.bytes) { return true }
        guard StatusLine.isOne(line) else { return false }
        // For Negotiate, libcurl first sends a request without its body.
        let negotiates =
            request.credential != nil
            && handle.context.configuration.authentication.contains(.negotiate)
        return StatusLine.mayBeFollowed(handle.headLines.bytes, whileNegotiating: negotiates)
    }
}
#endif

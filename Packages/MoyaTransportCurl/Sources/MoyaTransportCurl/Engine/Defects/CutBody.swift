#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Checks that a response's body is complete: by its length, its chunks, the end of its TLS
// connection and its content codings. A body that libcurl accepts may have been cut off by the
// server or an intermediary.
extension Attempt {
    /// Checks that a body that libcurl accepted is complete.
    ///
    /// - Throws: `URLError(.networkConnectionLost)` or `URLError(.cannotDecodeContentData)` if it
    ///   is not.
    func checkBody() throws(URLError) {
        // The rest of a redirect's body is not needed.
        if body.isCutShort { return }
        guard isWholeByLength else {
            throw cutOff("The response's body ended before the length that was announced.")
        }
        guard !isEmptyThoughEncoded else {
            throw cutOff("The response's body ended before the first byte of its encoding.")
        }
        try checkTLSEnd()
        try checkChunks()
        try body.decoding?.finish()
    }

    private func cutOff(_ text: String) -> URLError {
        URLError(.networkConnectionLost, text, url: url)
    }

    // MARK: By its length

    /// Whether the complete response had arrived before the transfer failed with `code`, as when a
    /// server does not want the rest of the request. Such a response is valid (RFC 9113, section
    /// 8.1; RFC 9114, section 4.1).
    func isWholeDespite(_ code: CURLcode) -> Bool {
        // The server has closed the connection, and so does not read the rest of the request (RFC
        // 9112, section 9.5).
        if code == CURLE_SEND_ERROR, hasWholeAnswer { return true }
        let version = easy.long(CURLINFO_HTTP_VERSION)
        guard code == CURLE_PARTIAL_FILE || code == CURLE_HTTP3, head.isWhole,
            version == Int(CURL_HTTP_VERSION_2_0) || version == Int(CURL_HTTP_VERSION_3)
        else { return false }
        return easy.hasWholeLength == true
    }

    /// Whether the body has the announced length. libcurl accepts some bodies that invalid HTTP/2
    /// frames cut off.
    private var isWholeByLength: Bool {
        if easy.hasWholeLength != false { return true }
        // The length is that of another response (RFC 9110, section 8.6).
        return !mayHaveBody
    }

    /// Whether an encoded body of unknown length is empty. libcurl before 8.1 takes an invalid
    /// HTTP/2 frame for the end of the body, and may drop the bytes before it.
    private var isEmptyThoughEncoded: Bool {
        !CurlLibrary.seesBrokenFrames && !body.hasBegun && body.decodesContent && mayHaveBody
            && easy.hasWholeLength == nil
            && easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
            && !HeaderScan.contentCodings(handle.headLines.bytes).isEmpty
    }

    // MARK: The end of a chunked body

    /// Watches a chunked body for its last line feed. Older versions of libcurl accept a body
    /// without it.
    func watchChunks() {
        guard CurlLibrary.missesLastLineFeed, head.framing.isChunked, mayHaveBody else { return }
        handle.isSpent = true
        handle.listen()
    }

    func receiveFramed(_ bytes: UnsafeRawBufferPointer) {
        // Other versions have the debug callback for their messages alone.
        guard CurlLibrary.missesLastLineFeed, head.framing.isChunked, let last = bytes.last else {
            return
        }
        body.endsWithReturn = last == UInt8(ascii: "\r")
        // libcurl drops the bytes that it has read after the last chunk, and keeps the connection.
        if body.chunks.consume(bytes) { handle.leaveConnection() }
    }

    /// Checks that the last chunk ends with its line feed (RFC 9112, sections 7.1 and 8).
    ///
    /// - Throws: `URLError(.networkConnectionLost)`.
    private func checkChunks() throws(URLError) {
        guard body.endsWithReturn else { return }
        throw cutOff("The connection ended within the last line of the response's body.")
    }

    // MARK: The end of a TLS connection

    /// Watches how the connection ends, if its end is the end of the body.
    func watchTLSEnd() {
        let version = easy.long(CURLINFO_HTTP_VERSION)
        guard head.framing.endsWithConnection, mayHaveBody,
            version == Int(CURL_HTTP_VERSION_1_0) || version == Int(CURL_HTTP_VERSION_1_1)
        else { return }
        body.closingTLS = handle.watchTLSEnd()
    }

    func stopWatchingTLS() {
        guard let connection = body.closingTLS.take() else { return }
        handle.context.closingConnections.remove(connection)
    }

    /// Checks that the server has sent close_notify on a connection whose end is the end of the
    /// body.
    ///
    /// - Throws: `URLError(.networkConnectionLost)`.
    private func checkTLSEnd() throws(URLError) {
        guard let connection = body.closingTLS.take() else { return }
        guard handle.context.closingConnections.remove(connection) else {
            throw cutOff(
                "The connection ended without TLS's close_notify, so that the response's body may be cut off."
            )
        }
    }
}
#endif

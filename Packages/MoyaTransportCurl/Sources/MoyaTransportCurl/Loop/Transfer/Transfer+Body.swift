import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The body of the response, on the loop's thread.
extension Transfer {
    /// The most bytes that are read of a redirect's body. To open a new connection is cheaper than to read more.
    private static let redirectBodyLimit = 64 << 10

    /// Takes a piece of the body. Returns what libcurl wants to hear: how much was taken, where less than all
    /// stops it, or that it shall come again later.
    func receive(_ bytes: UnsafeRawBufferPointer, for handle: CurlHandle) -> Int {
        lastActivity = handle.driver.now
        do throws(URLError) {
            if !hasBody { try beginBody(handle) }
            if channel != nil { deliverHead(handle) }
            checkForEarlyAnswer(handle)
            let isTaken =
                if let decoding { try decoding.decode(bytes, write: write) } else {
                    try write(bytes)
                }
            guard isTaken else {
                paused.insert(.receiving)
                return moya_write_pause()
            }
        } catch {
            failure = error
            return 0
        }
        isCutShort = isTooLongForRedirect(handle)
        return isCutShort ? 0 : bytes.count
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> Bool {
        let expected = progress.bytesToReceive.flatMap(Int.init(exactly:))
        guard try sink.write(bytes, expected: expected) else { return false }
        progress.bytesReceived += Int64(bytes.count)
        request.progress?(progress)
        return true
    }

    private func beginBody(_ handle: CurlHandle) throws(URLError) {
        hasBody = true
        guard statusCode(of: handle) != nil else {
            throw URLError(.badServerResponse, Self.statusFault, url: url)
        }
        // With an Accept-Encoding of their own, callers get the bytes as they come.
        let codings = decodesContent ? HeaderScan.contentCodings(handle.head.bytes) : []
        guard codings.isEmpty else {
            decoding = try BodyDecoding(
                codings, limit: handle.configuration.maxDecompressedSize, url: url)
            return
        }
        let length = handle.easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        progress.bytesToReceive = length >= 0 ? length : nil
    }

    /// Whether this is the body of a redirect that is going to be followed, and more of it than is worth reading.
    private func isTooLongForRedirect(_ handle: CurlHandle) -> Bool {
        // A reader has the head by now, and stops by itself.
        guard progress.bytesReceived > Self.redirectBodyLimit, channel == nil else { return false }
        // Once for each body: to find out copies the head.
        let isFollowed = isFollowed ?? surelyFollows(handle)
        self.isFollowed = isFollowed
        return isFollowed
    }

    private func surelyFollows(_ handle: CurlHandle) -> Bool {
        guard Redirect.isRedirect(handle.easy.long(CURLINFO_RESPONSE_CODE)), let url
        else { return false }
        return request.surelyFollows(summary(of: handle, url).0)
    }

    // MARK: The end of a body in chunks

    /// Watches a body in chunks for its last line feed, without which libcurl takes it for whole.
    func watchChunks(_ handle: CurlHandle) {
        guard CurlLibrary.missesLastLineFeed, framing.isChunked, mayHaveBody(handle) else { return }
        handle.watchBody()
    }

    /// Takes note of a piece of the body in its framing.
    func noteFramed(_ bytes: UnsafeRawBufferPointer) {
        guard let last = bytes.last else { return }
        endsWithReturn = last == UInt8(ascii: "\r")
        // libcurl drops what it has read behind the last chunk, and keeps the connection.
        if framing.isChunked, chunks.consume(bytes) { handle?.leaveConnection() }
    }

    /// Checks that the end of the chunks has come with its line feed (RFC 9112, sections 7.1 and 8).
    ///
    /// - Throws: `URLError(.networkConnectionLost)`.
    func checkChunks() throws(URLError) {
        guard endsWithReturn else { return }
        throw URLError(
            .networkConnectionLost,
            "The connection ended within the last line of the response's body.",
            url: url)
    }

    // MARK: The end of a TLS connection

    /// Watches how the connection ends where that is the end of the body.
    func watchTLSEnd(_ handle: CurlHandle) {
        let version = handle.easy.long(CURLINFO_HTTP_VERSION)
        guard framing.endsWithConnection, mayHaveBody(handle),
            version == Int(CURL_HTTP_VERSION_1_0) || version == Int(CURL_HTTP_VERSION_1_1)
        else { return }
        closingTLS = handle.watchTLSEnd()
    }

    func stopWatchingTLS() {
        guard let closingTLS else { return }
        handle?.driver.closingConnections.remove(closingTLS)
        self.closingTLS = nil
    }

    /// Checks that the server has announced the end of a connection that is the end of the body.
    ///
    /// - Throws: `URLError(.networkConnectionLost)`.
    func checkTLSEnd(_ handle: CurlHandle) throws(URLError) {
        guard let closingTLS else { return }
        self.closingTLS = nil
        guard handle.driver.closingConnections.remove(closingTLS) else {
            throw URLError(
                .networkConnectionLost,
                "The connection ended without TLS's close_notify, so that the response's body may be cut off.",
                url: url)
        }
    }
}

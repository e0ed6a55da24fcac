import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The body of the response, on the loop's thread.
extension Attempt {
    /// Takes a piece of the body. Returns what libcurl wants to hear: how much was taken, where less than all
    /// stops it, or that it shall come again later.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        times.lastActivity = host.now
        do throws(URLError) {
            if !body.hasBegun { try beginBody() }
            if transfer.stream != nil { deliverHead() }
            checkForEarlyAnswer()
            let isTaken =
                if let decoding = body.decoding { try decoding.decode(bytes, write: write) } else {
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
        body.isCutShort = isTooLongForRedirect()
        return body.isCutShort ? 0 : bytes.count
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> Bool {
        let expected = progress.bytesToReceive.flatMap(Int.init(exactly:))
        guard try body.sink.write(bytes, expected: expected) else { return false }
        progress.bytesReceived += Int64(bytes.count)
        request.progress?(progress)
        return true
    }

    private func beginBody() throws(URLError) {
        body.hasBegun = true
        guard statusCode != nil else {
            throw URLError(.badServerResponse, Self.statusFault, url: url)
        }
        // With an Accept-Encoding of their own, callers get the bytes as they come.
        let codings = body.decodesContent ? HeaderScan.contentCodings(handle.head.bytes) : []
        guard codings.isEmpty else {
            body.decoding = try BodyDecoding(
                codings, limit: handle.context.configuration.maxDecompressedSize, url: url)
            return
        }
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        progress.bytesToReceive = length >= 0 ? length : nil
    }

    /// Whether this is the body of a redirect that is going to be followed, and more of it than is worth reading.
    private func isTooLongForRedirect() -> Bool {
        // A reader has the head by now, and stops by itself.
        guard progress.bytesReceived > ResponseBodyStream.skippedBodyLimit, transfer.stream == nil
        else {
            return false
        }
        // Once for each body: to find out copies the head.
        let isFollowed = body.isFollowed ?? surelyFollows()
        body.isFollowed = isFollowed
        return isFollowed
    }

    private func surelyFollows() -> Bool {
        guard Redirect.isRedirect(easy.long(CURLINFO_RESPONSE_CODE)), let url else { return false }
        return request.surelyFollows(summary(url).0)
    }
}

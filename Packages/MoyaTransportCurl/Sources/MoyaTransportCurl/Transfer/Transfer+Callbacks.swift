import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What libcurl calls while it works, on the loop's thread.
extension Transfer {
    /// The most bytes of header lines that are kept.
    private static let headLimit = 1 << 20

    /// Takes one header line. `false` stops libcurl.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = CurlDriver.now()
        // An informational response or an answered challenge came before: its fields are not ours.
        if line.starts(with: Self.statusLineStart) {
            rawHead.removeAll(keepingCapacity: true)
            isHeadWhole = false
        }
        // What comes after the head are trailer fields, which must not pass for header fields
        // (RFC 9110, section 6.5.1).
        if isHeadWhole { return true }
        isHeadWhole = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard rawHead.count + line.count <= Self.headLimit else {
            failure = URLError(
                .badServerResponse,
                "The response has more than \(Self.headLimit) bytes of header fields.",
                url: request.urlRequest.url)
            return false
        }
        rawHead.append(contentsOf: line)
        return true
    }

    private static let statusLineStart = Array("HTTP/".utf8)

    /// Takes a piece of the body. `false` stops libcurl.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastActivity = CurlDriver.now()
        if progress.bytesReceived == 0 { progress.bytesToReceive = announcedLength }
        do throws(URLError) {
            try sink.write(bytes, expected: progress.bytesToReceive.flatMap(Int.init(exactly:)))
        } catch {
            failure = error
            return false
        }
        progress.bytesReceived += Int64(bytes.count)
        request.progress?(progress)
        return true
    }

    /// Fills `buffer` with the next bytes of the request's body.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = CurlDriver.now()
        do throws(URLError) {
            let count = try source?.read(into: buffer) ?? 0
            progress.bytesSent = source?.offset ?? 0
            if count > 0 { request.progress?(progress) }
            return count
        } catch {
            failure = error
            return moya_read_abort()
        }
    }

    func seek(_ offset: Int64) -> Bool {
        source?.seek(to: offset) ?? false
    }

    /// The length of the body, where what arrives here is what the server counted.
    private var announcedLength: Int64? {
        guard let handle else { return nil }
        let length = EasyHandle(raw: handle).offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        guard length >= 0 else { return nil }
        let isEncoded = HeaderScan.contains("content-encoding:", in: rawHead)
        return isEncoded ? nil : length
    }
}

/// Looks for a header line without making one string of it.
enum HeaderScan {
    static func contains(_ start: StaticString, in head: Data) -> Bool {
        let count = start.utf8CodeUnitCount
        return head.withUnsafeBytes { bytes in
            var index = 0
            while index + count <= bytes.count {
                let isMatch = (0..<count).allSatisfy {
                    bytes[index + $0] | 0x20 == start.utf8Start[$0] | 0x20
                }
                if isMatch { return true }
                guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else {
                    return false
                }
                index = end + 1
            }
            return false
        }
    }
}

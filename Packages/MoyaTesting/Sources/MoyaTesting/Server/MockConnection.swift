import Foundation
import MoyaCore

/// One connection of a ``MockServer``, served by one thread.
struct MockConnection {
    enum ReadError: Error {
        /// The client is done.
        case closed
        /// The client sent no HTTP.
        case malformed
    }

    let socket: Socket
    let id: Int
    private var buffer = Data()

    init(socket: Socket, id: Int) {
        self.socket = socket
        self.id = id
    }

    // MARK: Reading

    mutating func readRequest() throws(ReadError) -> MockRequest {
        let head = try readHead()
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let requestLine = lines.popFirst()?.split(separator: " ") ?? []
        guard requestLine.count == 3 else { throw .malformed }
        let headers = lines.compactMap { line -> HeaderField? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return HeaderField(name: String(line[..<colon]), value: value)
        }
        var request = MockRequest(
            method: String(requestLine[0]), target: String(requestLine[1]), headers: headers,
            body: Data(), bodyLength: 0, connectionID: id)
        if request.value(for: "Expect")?.lowercased() == "100-continue" {
            _ = socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if request.value(for: "Transfer-Encoding")?.lowercased() == "chunked" {
            request.body = try readChunks()
        } else if let text = request.value(for: "Content-Length") {
            guard let length = Int(text), length >= 0 else { throw .malformed }
            request.body = try read(length)
        }
        request.bodyLength = request.body.count
        return request
    }

    private mutating func readHead() throws(ReadError) -> String {
        let end = Data("\r\n\r\n".utf8)
        var searched = 0
        while true {
            let from = buffer.startIndex + max(0, searched - 3)
            if let range = buffer.range(of: end, in: from..<buffer.endIndex) {
                let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer = Data(buffer[range.upperBound...])
                return head
            }
            guard buffer.count < 1 << 20 else { throw .malformed }
            searched = buffer.count
            try fill()
        }
    }

    private mutating func readLine() throws(ReadError) -> String {
        while true {
            if let range = buffer.range(of: Data("\r\n".utf8)) {
                let line = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer = Data(buffer[range.upperBound...])
                return line
            }
            try fill()
        }
    }

    private mutating func readChunks() throws(ReadError) -> Data {
        var body = Data()
        while true {
            let line = try readLine()
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { throw .malformed }
            if size == 0 { break }
            body += try read(size)
            _ = try readLine()
        }
        // Trailer fields end with an empty line.
        while try !readLine().isEmpty {}
        return body
    }

    private mutating func read(_ count: Int) throws(ReadError) -> Data {
        if buffer.count >= count {
            let data = Data(buffer.prefix(count))
            buffer = Data(buffer.dropFirst(count))
            return data
        }
        var data = Data(count: count)
        var filled = buffer.count
        data.replaceSubrange(0..<filled, with: buffer)
        buffer = Data()
        let socket = socket
        let isWhole = data.withUnsafeMutableBytes { bytes in
            while filled < count {
                let read = socket.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                if read == 0 { return false }
                filled += read
            }
            return true
        }
        guard isWhole else { throw .closed }
        return data
    }

    private mutating func fill() throws(ReadError) {
        let socket = socket
        let piece = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { bytes in
            Data(bytes.prefix(socket.read(into: bytes)))
        }
        if piece.isEmpty { throw .closed }
        buffer += piece
    }

    // MARK: Writing

    /// Sends `response` and returns how the connection goes on.
    func write(_ response: MockResponse, to request: MockRequest) -> MockResponse.End {
        if response.delay > 0, socket.waitForDisconnect(seconds: response.delay) { return .close }
        if case .raw(let bytes) = response.kind {
            return socket.write(bytes) ? response.end : .close
        }
        var head =
            "HTTP/1.1 \(response.status) \(response.reason ?? reasonPhrase(response.status))\r\n"
        for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
        if let length = response.contentLengthField { head += length + "\r\n" }
        if case .close = response.end, response.truncateBody == nil {
            head += "Connection: close\r\n"
        }
        let isBodiless =
            request.method == "HEAD" || response.status == 204 || response.status == 304
        guard socket.write(Data((head + "\r\n").utf8)), isBodiless || writeBody(of: response) else {
            return .close
        }
        if case .untilClose = response.body { return .close }
        return response.end
    }

    private func writeBody(of response: MockResponse) -> Bool {
        let limit = response.truncateBody ?? .max
        switch response.body {
        case .none: return true
        case .data(let data), .untilClose(let data): return socket.write(Data(data.prefix(limit)))
        case .pattern(let count): return writePattern(min(count, limit))
        case .chunked(let pieces, let interval):
            var left = limit
            for piece in pieces {
                let part = piece.prefix(left)
                left -= part.count
                if !part.isEmpty {
                    let size = String(part.count, radix: 16)
                    guard socket.write(Data("\(size)\r\n".utf8) + part + Data("\r\n".utf8)) else {
                        return false
                    }
                }
                if left == 0 { return true }
                if interval > 0, socket.waitForDisconnect(seconds: interval) { return false }
            }
            return socket.write(Data("0\r\n\r\n".utf8))
        }
    }

    private func writePattern(_ count: Int) -> Bool {
        var left = count
        while left > 0 {
            // The pattern repeats every 256 bytes, so each piece starts like the first.
            let piece = min(left, MockResponse.patternPiece.count)
            guard
                MockResponse.patternPiece.withUnsafeBytes({
                    socket.write(UnsafeRawBufferPointer(rebasing: $0[..<piece]))
                })
            else { return false }
            left -= piece
        }
        return true
    }

    private func reasonPhrase(_ status: Int) -> String {
        HTTPURLResponse.localizedString(forStatusCode: status).capitalized
    }
}

extension MockResponse {
    /// 256 KiB of the pattern of ``Body/pattern(byteCount:)``.
    static let patternPiece = Data((0..<256 << 10).lazy.map { UInt8(truncatingIfNeeded: $0) })

    fileprivate var contentLengthField: String? {
        switch body {
        case .none, .untilClose: nil
        case .data(let data):
            headers.contains { $0.name.lowercased() == "content-length" }
                ? nil : "Content-Length: \(data.count)"
        case .pattern(let count): "Content-Length: \(count)"
        case .chunked: "Transfer-Encoding: chunked"
        }
    }
}

import Foundation
import MoyaCore

/// One connection of a ``MockServer``, served by one thread.
struct MockConnection {
    let socket: Socket
    let id: Int
    private var input: ReceiveBuffer
    private var clientWantsClose = false
    private let delivery: MockDelivery?
    private var responseCount = 0
    /// Cuts the response that is being sent.
    private var pieces: RandomPieces?

    init(socket: Socket, id: Int, delivery: MockDelivery? = nil) {
        self.socket = socket
        self.id = id
        self.delivery = delivery
        input = ReceiveBuffer(socket)
    }

    // MARK: Reading

    mutating func readRequest() throws(ReceiveBuffer.ReadError) -> MockRequest {
        let head = try input.takeHead()
        clientWantsClose = head.wantsClose
        if head.expectsContinue { _ = socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        var body = Data()
        switch head.framing {
        case .length(let count): try input.take(count, to: &body)
        case .chunked: try readChunks(to: &body)
        }
        return MockRequest(
            method: head.method, target: head.target, headers: head.headers, body: body,
            bodyLength: body.count, connectionID: id)
    }

    private mutating func readChunks(to body: inout Data) throws(ReceiveBuffer.ReadError) {
        while true {
            // What comes after a semicolon is an extension (RFC 9112, section 7.1.1).
            let size = try input.takeLine().prefix { $0 != ";" && $0 != " " }
            guard let count = Int(size, radix: 16), count >= 0 else { throw .malformed }
            if count == 0 { break }
            try input.take(count, to: &body)
            guard try input.takeLine().isEmpty else { throw .malformed }
        }
        // Trailer fields end with an empty line.
        while try !input.takeLine().isEmpty {}
    }

    // MARK: Writing

    /// Sends `response` and returns how the connection goes on.
    mutating func write(_ response: MockResponse, to request: MockRequest) -> MockResponse.End {
        responseCount += 1
        let random = delivery?.generator(connection: id, response: responseCount)
        pieces = random.map { RandomPieces($0) }
        if response.delay > 0, socket.waitForDisconnect(seconds: response.delay) { return .close }
        if case .raw(let bytes) = response.kind {
            return send(bytes) ? response.end : .close
        }
        var end = response.end
        let isBodiless = response.isBodiless(for: request)
        if case .keepAlive = end, clientWantsClose || response.endsByClosing && !isBodiless {
            end = .close
        }
        let layout = random.map { FieldLayout($0) }
        let head = response.informationalHeads + response.head(closing: end, layout)
        let isSent =
            if isBodiless {
                send(head)
            } else if case .data(let data) = response.framedBody, data.count <= 64 << 10,
                response.bodyDelay == 0, response.bytesPerSecond == nil
            {
                // Together, so that a small response is one packet.
                send(head + data.prefix(response.bodyLimit))
            } else {
                send(head) && !waits(response.bodyDelay) && writeBody(of: response)
            }
        return isSent ? end : .close
    }

    private mutating func send(_ data: Data) -> Bool { data.withUnsafeBytes { send($0) } }

    /// Sends `bytes`, in pieces where there are to be some.
    private mutating func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty, let piece = pieces?.next(of: rest.count) {
            guard socket.write(UnsafeRawBufferPointer(rebasing: rest.prefix(piece.count))) else {
                return false
            }
            rest = rest.dropFirst(piece.count)
            if piece.pause > 0 { Thread.sleep(forTimeInterval: piece.pause) }
        }
        return rest.isEmpty || socket.write(UnsafeRawBufferPointer(rebasing: rest))
    }

    /// Waits, and tells whether the client has left meanwhile.
    private func waits(_ seconds: TimeInterval) -> Bool {
        seconds > 0 && socket.waitForDisconnect(seconds: seconds)
    }

    /// Tells the client why its request is not answered, where there is an answer for it.
    func refuse(_ error: ReceiveBuffer.ReadError) {
        let status: Int
        switch error {
        case .closed, .malformed: return
        case .headTooLarge: status = 431
        case .bodyTooLarge: status = 413
        }
        let response = MockResponse.text("Too large.", status: status)
        guard case .data(let data) = response.body,
            socket.write(response.head(closing: .close) + data)
        else { return }
        // To close with unread bytes is to reset, which may overtake the answer.
        socket.shutDownWriting()
        socket.drain()
    }

    private mutating func writeBody(of response: MockResponse) -> Bool {
        let speed = response.bytesPerSecond
        switch response.framedBody {
        case .none: return true
        case .data(let data), .untilClose(let data):
            return data.prefix(response.bodyLimit).withUnsafeBytes { write($0, at: speed) }
        case .pattern(let count): return writePattern(min(count, response.bodyLimit), at: speed)
        case .chunked(let pieces, let interval):
            var left = response.bodyLimit
            for (index, piece) in pieces.enumerated() {
                if index > 0, waits(interval) { return false }
                let part = piece.prefix(left)
                left -= part.count
                guard part.isEmpty || writeChunk(part, at: speed) else { return false }
                if left == 0 { return true }
            }
            return !waits(response.endDelay) && send(response.lastChunk)
        }
    }

    private mutating func writeChunk(_ part: Data, at speed: Int?) -> Bool {
        var chunk = Data("\(String(part.count, radix: 16))\r\n".utf8)
        chunk += part
        chunk += "\r\n".utf8
        return chunk.withUnsafeBytes { write($0, at: speed) }
    }

    private mutating func writePattern(_ count: Int, at speed: Int?) -> Bool {
        MockResponse.patternPiece.withUnsafeBytes { piece in
            var left = count
            while left > 0 {
                // The pattern repeats every 256 bytes, so each piece starts like the first.
                let part = UnsafeRawBufferPointer(rebasing: piece[..<min(left, piece.count)])
                guard write(part, at: speed) else { return false }
                left -= part.count
            }
            return true
        }
    }

    /// Sends `bytes`, so many in a second.
    private mutating func write(_ bytes: UnsafeRawBufferPointer, at speed: Int?) -> Bool {
        guard let speed else { return send(bytes) }
        let size = MockResponse.pieceSize(at: speed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            guard socket.write(UnsafeRawBufferPointer(rebasing: piece)),
                rest.isEmpty || !waits(Double(size) / Double(max(1, speed)))
            else { return false }
        }
        return true
    }
}

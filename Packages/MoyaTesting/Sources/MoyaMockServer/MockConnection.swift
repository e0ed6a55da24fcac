import Foundation
import MoyaCore

/// A connection of a ``MockServer``. One thread serves it.
struct MockConnection {
    let socket: Socket
    let id: Int
    private var input: ReceiveBuffer
    private var clientWantsClose = false
    private let delivery: MockDelivery?
    private var responseCount = 0
    /// Cuts the current response into pieces. `nil` sends it whole.
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
            // Chunk extensions follow a semicolon (RFC 9112, section 7.1.1).
            let size = try input.takeLine().prefix { $0 != ";" && $0 != " " }
            guard let count = Int(size, radix: 16), count >= 0 else { throw .malformed }
            if count == 0 { break }
            try input.take(count, to: &body)
            guard try input.takeLine().isEmpty else { throw .malformed }
        }
        // Skips trailer fields up to the empty line.
        while try !input.takeLine().isEmpty {}
    }

    // MARK: Writing

    /// Sends `response`. Returns what happens to the connection afterwards.
    mutating func write(_ response: MockResponse, to request: MockRequest) -> MockResponse.End {
        responseCount += 1
        let random = delivery?.generator(connection: id, response: responseCount)
        pieces = random.map { RandomPieces($0) }
        if response.delay > 0, socket.waitForDisconnect(seconds: response.delay) { return .close }
        if let bytes = response.rawBytes { return send(bytes) ? response.end : .close }
        let end = response.end(answering: request, clientWantsClose: clientWantsClose)
        let layout = random.flatMap { delivery?.layout($0) }
        let head = response.informationalHeads + response.head(closing: end, layout)
        let isSent =
            if response.isBodiless(for: request) {
                send(head)
            } else if case .data(let data) = response.framedBody, data.count <= 64 << 10,
                response.bodyDelay == 0, response.bytesPerSecond == nil
            {
                // Head and body together, so that a small response fits into one packet.
                send(head + data.prefix(response.bodyLimit))
            } else {
                send(head) && !waits(response.bodyDelay) && writeBody(of: response)
            }
        return isSent ? end : .close
    }

    /// Sends `bytes`, in pieces if there is a delivery. Returns `false` if the client has
    /// disconnected.
    private mutating func send(_ bytes: Data) -> Bool {
        var rest = bytes
        while !rest.isEmpty, let piece = pieces?.next(of: rest.count) {
            guard socket.write(rest.prefix(piece.count)) else { return false }
            rest = rest.dropFirst(piece.count)
            if piece.pause > 0 { Thread.sleep(forTimeInterval: piece.pause) }
        }
        return rest.isEmpty || socket.write(rest)
    }

    /// Waits for `seconds`. Returns `true` if the client has disconnected meanwhile.
    private func waits(_ seconds: TimeInterval) -> Bool {
        seconds > 0 && socket.waitForDisconnect(seconds: seconds)
    }

    /// Sends an error response for a request that is too large. Other errors get no response.
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
        // Closing a socket with unread bytes sends a reset, which may overtake the response.
        // Half-close it and read the rest first.
        socket.shutDownWriting()
        socket.drain()
    }

    private mutating func writeBody(of response: MockResponse) -> Bool {
        var left = response.bodyLimit
        var pieces = BodyPieces(response)
        while left > 0 {
            guard let piece = pieces.next() else {
                return !response.isChunked
                    || !waits(response.endDelay) && send(response.lastChunk)
            }
            let bytes = piece.bytes.prefix(left)
            left -= bytes.count
            guard !waits(piece.pause), send(response.framed(bytes)) else { return false }
        }
        return true
    }
}

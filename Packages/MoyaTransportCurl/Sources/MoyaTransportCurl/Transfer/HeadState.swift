import Foundation
import MoyaCore
import MoyaInternals

/// How much of the response's head has come, and what it says.
struct HeadState {
    /// What to do with a line.
    enum Line {
        /// It belongs to the head. `isLast` is the empty line at its end.
        case field(isLast: Bool)
        /// It comes behind the body (RFC 9110, section 6.5).
        case trailers
        /// There is something wrong with it: the reason.
        case refused(String)
    }

    /// The most bytes of header lines that are taken, all in all. libcurl gives up later, and not always.
    static let fieldLimit = 256 << 10
    /// How many challenges for credentials are answered. A server that calls every nonce stale (RFC 7616, section 3.3)
    /// would be asked without end.
    static let challengeLimit = 10

    /// Whether the server has replied since the attempt began. A challenge or an informational response counts, whatever the
    /// connection.
    private(set) var hasAnswer = false
    /// Whether the server has replied since libcurl last began to write the request.
    private(set) var hasAnswerSinceBegin = false
    /// Whether the empty line after the header fields has come.
    private(set) var isWhole = false
    /// Bytes of lines that are no body: before it, after it, and those of the informational responses that came first.
    private var fieldBytes = 0
    private var challengeCount = 0
    /// What the head says of where the body ends.
    private(set) var framing = BodyFraming()
    /// Bytes of the head, where the system counts those of its connection.
    private(set) var received: ReceivedHead?
    /// Header fields that came after the body.
    private(set) var trailers: [HeaderField] = []
    /// What the TLS handshake of the connection has agreed upon. libcurl has forgotten it when the transfer is over.
    var tlsAgreement: TLSAgreement?

    /// The first byte of a response has come.
    mutating func noteAnswer() { (hasAnswer, hasAnswerSinceBegin) = (true, true) }

    /// libcurl begins to write the request. `received` counts what its connection receives.
    mutating func noteBegin(_ received: ReceivedHead?) {
        hasAnswerSinceBegin = false
        self.received = received
    }

    /// Takes one header line.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Line {
        guard challengeCount < Self.challengeLimit else {
            return .refused(
                "The server or proxy refused the credential \(challengeCount) times, asking for it anew each time."
            )
        }
        fieldBytes += line.count
        received?.note(line)
        guard fieldBytes <= Self.fieldLimit else {
            return .refused("The response has more than \(Self.fieldLimit) bytes of header fields.")
        }
        // What comes after the head are trailer fields, which must not pass for header fields
        // (RFC 9110, section 6.5.1).
        if isWhole { return .trailers }
        isWhole = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        framing.note(line)
        return .field(isLast: isWhole)
    }

    /// Forgets the response that came before this one: informational, a challenge that is answered, or one of a connection
    /// that broke down.
    mutating func leaveResponse(isInformational: Bool) {
        // A challenge is a response of its own.
        if isWhole, !isInformational {
            fieldBytes = 0
            challengeCount += 1
        }
        trailers = []
        isWhole = false
        framing = BodyFraming()
    }

    /// Takes a line, or all that came while the reader held the response back: libcurl hands those over as one.
    mutating func addTrailers(_ lines: UnsafeRawBufferPointer) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            trailers.append(HeaderField(name: name, value: value))
        }
    }
}

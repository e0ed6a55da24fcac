import Foundation
import MoyaCore

/// The answer to a stubbed request.
///
/// ```swift
/// provider.on(.profile).respond(.failure(.timedOut), try .json(["login": "ashfurrow"]))
/// provider.on(.archive).respond(.file(archive).chunked(4096).delayed(by: 2))
/// ```
///
/// A stub behaves like a server's response: it delivers to memory, a file or a stream as the
/// request asks, within the request's memory limit, and reports progress. A redirect is delivered
/// as it is and not followed, so that each request has one answer.
public struct Stub: Sendable {
    enum Outcome: Sendable {
        /// A response with a head that is made from the request's URL.
        case response(@Sendable (URL) -> ResponseHead, StubBody)
        case failure(any Error)
        case silence
        case computed(@Sendable (TransportRequest) async throws -> Stub)
    }

    var outcome: Outcome
    var delay: TimeInterval = 0
    /// `nil` if not set. A computed answer may then set the pace.
    var pace: StubPace?
    /// Position at which the body breaks off, and the error that follows.
    var cut: (count: Int, code: URLError.Code)?

    init(_ outcome: Outcome) {
        self.outcome = outcome
    }

    /// Returns this answer, delayed by `seconds`. If the delay exceeds the request's timeout, the
    /// request times out.
    public func delayed(by seconds: TimeInterval) -> Stub {
        var stub = self
        stub.delay = seconds
        return stub
    }

    /// Returns this answer with both bodies, of the request and of the response, moving in pieces
    /// of `size` bytes. Reports progress after each piece.
    ///
    /// - Parameters:
    ///   - size: Size of a piece in bytes, at least 1.
    ///   - seconds: Pause before each piece of the response body.
    public func chunked(_ size: Int, every seconds: TimeInterval = 0) -> Stub {
        var stub = self
        stub.pace = StubPace(size: max(1, size), pause: seconds)
        return stub
    }

    /// Returns this answer, cut off: the exchange fails with `URLError(code)` after `count` bytes
    /// of the body. A partly written file is removed, as after any failure.
    public func cutOff(
        afterBytes count: Int, with code: URLError.Code = .networkConnectionLost
    ) -> Stub {
        var stub = self
        stub.cut = (count: max(0, count), code: code)
        return stub
    }

    /// Returns this answer with an additional header field. A failure has no header fields and
    /// stays unchanged.
    public func header(_ name: String, _ value: String) -> Stub {
        let field = HeaderField(name: name, value: value)
        var stub = self
        switch outcome {
        case .response(let makeHead, let body):
            stub.outcome = .response(
                { url in
                    let head = makeHead(url)
                    return ResponseHead(
                        statusCode: head.statusCode, url: head.url, httpVersion: head.httpVersion,
                        fields: head.fields + [field])
                }, body)
        case .computed(let respond):
            stub.outcome = .computed { try await respond($0).header(name, value) }
        case .failure, .silence: break
        }
        return stub
    }
}

enum StubBody: Sendable {
    case data(Data)
    case file(URL)
    /// A value, encoded as JSON by the coders of the request.
    case json(any Encodable & Sendable)
    /// Sample data of the request's target.
    case sampleData
}

/// Size of the pieces in which bodies move, and the pause before each.
struct StubPace: Sendable {
    var size = 1 << 16
    var pause: TimeInterval = 0
}

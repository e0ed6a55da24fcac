import Foundation
import MoyaCore

/// The answer to a stubbed request.
///
/// ```swift
/// provider.on(.profile).respond(.failure(.timedOut), try .json(["login": "ashfurrow"]))
/// provider.on(.archive).respond(.file(archive).chunked(4096).delayed(by: 2))
/// ```
///
/// It does what a server's answer does: it goes into memory or into a file, wherever the request wants it,
/// within the request's limit, and reports progress on the way there. A redirect is an answer like any other: it is not
/// followed, so that there is one request for each answer.
public struct Stub: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, fields: [HeaderField], body: StubBody)
        /// A head that is made for the request's URL.
        case head(@Sendable (URL) -> ResponseHead, Data)
        case failure(any Error)
        case silence
        case computed(@Sendable (TransportRequest) async throws -> Stub)
    }

    var outcome: Outcome
    var delay: TimeInterval = 0
    /// `nil` where it is not set: what a computed answer says counts, then.
    var pace: StubPace?
    var cut: StubCut?

    init(_ outcome: Outcome) {
        self.outcome = outcome
    }

    /// The same answer, `seconds` later. Where that is more than the request's timeout, the request times out.
    public func delayed(by seconds: TimeInterval) -> Stub {
        var stub = self
        stub.delay = seconds
        return stub
    }

    /// The same answer, its body and the request's in pieces of `size` bytes, at least one, each with a report of
    /// progress.
    ///
    /// - Parameter seconds: The pause before each piece of the response's body.
    public func chunked(_ size: Int, every seconds: TimeInterval = 0) -> Stub {
        var stub = self
        stub.pace = StubPace(size: max(1, size), pause: seconds)
        return stub
    }

    /// The same answer up to `count` bytes of its body, and then the exchange fails. The file that has been written
    /// until then is removed, as after any failure.
    public func cutOff(
        afterBytes count: Int, with code: URLError.Code = .networkConnectionLost
    ) -> Stub {
        var stub = self
        stub.cut = StubCut(count: max(0, count), code: code)
        return stub
    }

    /// The same answer with one more header field. Does nothing for an answer that has none.
    public func header(_ name: String, _ value: String) -> Stub {
        let field = HeaderField(name: name, value: value)
        var stub = self
        switch outcome {
        case .response(let status, let fields, let body):
            stub.outcome = .response(status: status, fields: fields + [field], body: body)
        case .head(let makeHead, let data):
            stub.outcome = .head(
                { url in
                    let head = makeHead(url)
                    return ResponseHead(
                        statusCode: head.statusCode, url: head.url, httpVersion: head.httpVersion,
                        fields: head.fields + [field])
                }, data)
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
    /// That of the request's target.
    case sampleData
}

/// In what pieces bodies move.
struct StubPace: Sendable {
    var size = 1 << 16
    var pause: TimeInterval = 0
}

/// Where an answer ends before its end.
struct StubCut: Sendable {
    let count: Int
    let code: URLError.Code
}

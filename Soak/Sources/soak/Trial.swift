import Foundation
import MoyaMockServer

/// A request, the server's response, and the expected result. Server and client derive the same
/// trial from the seed and the number of the case.
struct Trial: Sendable {
    enum Framing: CaseIterable { case length, chunks, close }
    enum Upload: CaseIterable { case none, data, file, stream, streamOfUnknownLength }
    enum Destination: CaseIterable { case memory, file, stream }

    /// A fault of the server.
    enum Fault: Equatable {
        /// The body ends after this number of bytes.
        case cut(Int, MockResponse.End)
        /// The connection ends without a response.
        case silence(MockResponse.End)
        /// The response never comes.
        case stall
        /// More redirects than the request allows.
        case tooManyRedirects
    }

    let number: Int
    let method: String
    let upload: Upload
    let uploadData: Data
    let status: Int
    let data: Data
    let framing: Framing
    /// Content coding of the response's body. `nil` means no coding.
    let coding: MockResponse.Coding?
    /// Status codes of the redirects before the final response.
    let redirects: [Int]
    let destination: Destination
    /// Delays before the response, and between its head and its body, in seconds.
    let pauses: [TimeInterval]
    let closes: Bool
    let fault: Fault?

    init(_ number: Int, _ options: Options) {
        self.number = number
        var random = options.generator(forCase: number)
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        func size() -> Int {
            let most = pick([0, 1, 300, 300, 20_000, 20_000, 70_000, chance(5) ? 1_000_000 : 3_000])
            return Int.random(in: 0...most, using: &random)
        }
        method = pick([
            "GET", "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS",
        ])
        let takesBody = ["POST", "PUT", "PATCH"].contains(method)
        upload = takesBody ? pick(Upload.allCases) : .none
        uploadData = upload == .none ? Data() : random.bytes(size())
        destination = pick(Destination.allCases)
        redirects =
            chance(6) ? (0...pick([0, 1, 3])).map { _ in pick([301, 302, 303, 307, 308]) } : []
        pauses = [
            chance(5) ? pick([0.001, 0.01, 0.05]) : 0, chance(10) ? pick([0.001, 0.02]) : 0,
        ]
        closes = chance(8)
        let isHead = method == "HEAD"
        let body = random.bytes(size())
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where !isHead && body.count > 1:
            fault = .cut(Int.random(in: 0..<body.count, using: &random), pick([.close, .reset]))
        case 1: fault = .silence(pick([.close, .reset]))
        case 2 where chance(4): fault = .stall
        case 3 where redirects.count > 1: fault = .tooManyRedirects
        default: fault = nil
        }
        switch fault {
        // A client detects a truncated body only by its length or its last chunk.
        case .cut: (framing, coding, status) = (pick([.length, .chunks]), nil, 200)
        default:
            framing = pick([.length, .length, .chunks, .close])
            coding = framing == .length && chance(3) ? pick([.gzip, .deflate]) : nil
            status = pick([200, 200, 200, 200, 201, 204, 400, 404, 410, 418, 500, 502, 503])
        }
        data = status == 204 ? Data() : body
    }

    /// Returns the path of the request after `hop` redirects.
    func path(hop: Int = 0) -> String { "/\(number)/\(hop)" }

    /// Method of the request after all redirects (RFC 9110, section 15.4).
    var lastMethod: String {
        redirects.reduce(method) { method, status in
            switch (status, method) {
            case (303, "GET"), (303, "HEAD"): method
            case (303, _), (301, "POST"), (302, "POST"): "GET"
            default: method
            }
        }
    }

    /// Body of the request after all redirects.
    var lastUpload: Data { lastMethod == method ? uploadData : Data() }
}

// Used by the server.
extension Trial {
    func response(to request: MockRequest, hop: Int) -> MockResponse {
        if hop < redirects.count {
            let redirect = MockResponse.redirect(to: path(hop: hop + 1), status: redirects[hop])
            return closes && hop == 0 ? redirect.ending(.close) : redirect
        }
        if case .silence(let end) = fault { return .silence(then: end) }
        if fault == .stall { return .silence(then: .stall) }
        var response = MockResponse(status: status)
        response.body =
            switch framing {
            case .length: .data(data)
            case .chunks: .chunked(pieces)
            case .close: .untilClose(data)
            }
        // A response with status 204 has no body and no framing.
        if status == 204 { response.body = .none }
        if let coding, status != 204 { response = response.compressed(coding) }
        (response.delay, response.bodyDelay) = (pauses[0], pauses[1])
        if closes { response.end = .close }
        if case .cut(let count, let end) = fault {
            response = response.truncated(after: count, then: end)
        }
        let isRight = request.method == lastMethod && request.body == lastUpload
        return response.adding("X-Case", "\(number)").adding(
            "X-Request",
            isRight ? "right" : "\(request.method) with \(request.bodyLength) bytes")
    }

    private var pieces: [Data] {
        let size = max(1, data.count / 7)
        return stride(from: 0, to: data.count, by: size).map { data.dropFirst($0).prefix(size) }
    }
}

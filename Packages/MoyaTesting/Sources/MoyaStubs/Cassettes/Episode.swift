import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A request as it is on a cassette: secrets masked.
public struct RecordedRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The text of the URL.
    public let url: String
    /// The header fields.
    public let fields: [HeaderField]
    /// The body. `nil` where there was none.
    public let body: Data?

    /// The URL as it is compared: with each request, so it is taken apart once.
    let address: ComparableURL

    init(method: HTTPMethod, url: String, fields: [HeaderField], body: Data?) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        address = ComparableURL(url)
    }

    /// The values of the header fields `name`, whatever its case.
    public func values(for name: String) -> [String] {
        fields.values(for: name)
    }

    var summary: String { "\(method) \(url)" }
}

/// A response as it is on a cassette.
struct RecordedResponse: Sendable {
    var status: Int
    var httpVersion: String
    var fields: [HeaderField]
    var body: Data
    /// The URL that answered, where it is another than the request's.
    var url: String?
}

/// One exchange on a cassette.
struct Episode: Sendable {
    enum Outcome: Sendable {
        case response(RecordedResponse)
        case failure(URLError.Code)
        /// Nothing that could be played, and why.
        case unplayable(String)
    }

    let request: RecordedRequest
    let outcome: Outcome

    /// What plays it.
    var stub: Stub {
        get throws {
            switch outcome {
            case .failure(let code): return .failure(code)
            case .unplayable(let reason):
                throw CassetteError(description: "\(request.summary) cannot be played: \(reason)")
            case .response(let response):
                return Stub(
                    .head(
                        { requested in
                            ResponseHead(
                                statusCode: response.status,
                                url: response.url.flatMap(URL.init(string:)) ?? requested,
                                httpVersion: response.httpVersion, fields: response.fields)
                        }, response.body))
            }
        }
    }

    var shownStatus: String {
        switch outcome {
        case .response(let response): "\(response.status)"
        case .failure(let code): "URLError \(code.rawValue)"
        case .unplayable: "cannot be played"
        }
    }
}

/// Takes out of messages what is secret.
struct CassetteMask: Sendable {
    let redaction: Redaction
    let maskBody: @Sendable (Data, String) -> Data

    func request(_ request: TransportRequest) -> RecordedRequest {
        let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        return self.request(
            method: request.requestMethod, url: request.urlRequest.url?.absoluteString ?? "",
            fields: fields, body: request.bodyBytes)
    }

    func request(
        method: HTTPMethod, url: String, fields: [HeaderField], body: Data?, type: String = ""
    ) -> RecordedRequest {
        let masked = self.fields(fields)
        let type = fields.values(for: "Content-Type").first ?? type
        // What is compressed hides its secrets from the mask alone.
        let isCoded = redaction != .none && HeaderField.areCoded(fields)
        return RecordedRequest(
            method: method, url: self.url(url), fields: masked,
            body: body.map { isCoded ? Data(Redaction.mask.utf8) : maskBody($0, type) })
    }

    func fields(_ fields: [HeaderField]) -> [HeaderField] {
        fields.map {
            HeaderField(name: $0.name, value: redaction.redact($0.value, ofHeader: $0.name))
        }
    }

    func url(_ text: String) -> String {
        if let url = URL(string: text) { return redaction.redact(url: url) }
        // Who knows what is in there.
        return redaction == .none || text.isEmpty ? text : Redaction.mask
    }
}

import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A request of a cassette. Secrets are masked.
public struct RecordedRequest: Sendable {
    /// HTTP method.
    public let method: HTTPMethod
    /// URL as text.
    public let url: String
    /// Header fields.
    public let fields: [HeaderField]
    /// Body. `nil` for a request without a body.
    public let body: Data?
    /// The coders of the request that is to be answered. Episodes have `Coders.json`.
    var coders = Coders.json

    /// The normalized URL. Stored, because each lookup compares it.
    let address: ComparableURL

    init(method: HTTPMethod, url: String, fields: [HeaderField], body: Data?) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        address = ComparableURL(url)
    }

    var summary: String { "\(method) \(url)" }
}

/// One exchange of a cassette.
struct Episode: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, Stub)
        case failure(URLError.Code)
        /// The entry cannot be played. The text gives the reason.
        case unplayable(String)
    }

    let request: RecordedRequest
    let outcome: Outcome

    /// Stub that plays the episode.
    ///
    /// - Throws: ``CassetteError`` if the episode cannot be played.
    var stub: Stub {
        get throws {
            switch outcome {
            case .failure(let code): return .failure(code)
            case .unplayable(let reason):
                throw CassetteError(description: "\(request.summary) cannot be played: \(reason)")
            case .response(_, let stub): return stub
            }
        }
    }

    var shownStatus: String {
        switch outcome {
        case .response(let status, _): "\(status)"
        case .failure(let code): "URLError \(code.rawValue)"
        case .unplayable: "cannot be played"
        }
    }
}

/// Masks secrets in messages.
struct CassetteMask: Sendable {
    let redaction: Redaction
    let maskBody: @Sendable (Data, String) -> Data

    func request(_ request: TransportRequest) -> RecordedRequest {
        let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        var recorded = self.request(
            method: request.requestMethod, url: request.urlRequest.url?.absoluteString ?? "",
            fields: fields, body: request.bodyBytes)
        recorded.coders = request.context.coders
        return recorded
    }

    func request(
        method: HTTPMethod, url: String, fields: [HeaderField], body: Data?, type: String = ""
    ) -> RecordedRequest {
        let masked = self.fields(fields)
        let type = fields.values(for: "Content-Type").first ?? type
        // A compressed body cannot be searched for secrets, so all of it is masked.
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
        // A text that is not a URL cannot be searched for secrets, so all of it is masked.
        return redaction == .none || text.isEmpty ? text : Redaction.mask
    }
}

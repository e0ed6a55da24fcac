import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request in the form in which URLSession neither traps on it nor sends something else.
struct SessionRequest {
    private enum Body {
        case none
        case data(Data)
        case file(URL)
    }

    private let urlRequest: URLRequest
    private let body: Body
    /// The number of bytes in the body, if it has one.
    let bodyLength: Int64?

    /// - Throws: `URLError` or ``RequestError`` for what URLSession cannot send.
    init(_ request: TransportRequest) throws {
        try request.validate()
        let method = request.urlRequest.httpMethod ?? "GET"
        urlRequest = try Self.prepare(request.urlRequest, method)
        (body, bodyLength) = try Self.prepare(request.body, method)
        if let bodyLength, bodyLength > 0, let error = Self.refusal(ofBodyWith: method) {
            throw URLError(error.code, error.message, url: request.urlRequest.url)
        }
    }

    func makeTask(on session: URLSession) -> URLSessionTask {
        switch body {
        case .none: session.dataTask(with: urlRequest)
        case .data(let data): session.uploadTask(with: urlRequest, from: data)
        case .file(let url): session.uploadTask(with: urlRequest, fromFile: url)
        }
    }

    private static func prepare(_ request: URLRequest, _ method: String) throws -> URLRequest {
        // libcurl refuses options of 8 MB, and URLSession on Linux ends the process when it does.
        guard method.utf8.count <= 1 << 16 else {
            throw URLError(.badURL, "The method is too long.", url: request.url)
        }
        var request = request
        // URLSession frames the body itself.
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        request.setValue(nil, forHTTPHeaderField: "Transfer-Encoding")
        // The exchange watches the time itself: URLSession on Linux knows whole seconds alone, and ends
        // the process on those that are too many.
        request.timeoutInterval = 1e6
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.url = request.url.map(lowercasingScheme)
        return request
    }

    /// URLSession on Linux knows no other spelling.
    private static func lowercasingScheme(_ url: URL) -> URL {
        guard let scheme = url.scheme, scheme != scheme.lowercased(),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.scheme = scheme.lowercased()
        return components.url ?? url
    }

    private static func prepare(
        _ body: RequestBody, _ method: String
    ) throws(URLError) -> (Body, Int64?) {
        let isBodiless = method == "GET" || method == "HEAD"
        switch body {
        case .none:
            // A POST, PUT or PATCH without a body still says that it has none (RFC 9110, section 8.6).
            return (["POST", "PUT", "PATCH"].contains(method) ? .data(Data()) : .none, nil)
        case .data(let data):
            return (data.isEmpty && isBodiless ? .none : .data(data), Int64(data.count))
        case .file(let url):
            let length = try UploadFile.size(of: url)
            return (length == 0 && isBodiless ? .none : .file(url), length)
        }
    }

    private static func refusal(
        ofBodyWith method: String
    ) -> (code: URLError.Code, message: String)? {
        switch method {
        case "GET":
            (
                .dataLengthExceedsMaximum,
                "URLSession sends no body with GET. Use another method, or CurlTransport."
            )
        case "HEAD": (.badURL, "A HEAD request cannot have a body.")
        default: nil
        }
    }
}

/// What is checked of a file before it is sent.
enum UploadFile {
    static func size(of url: URL) throws(URLError) -> Int64 {
        // URLSession on Linux ends the process for other URLs.
        guard url.isFileURL else {
            throw URLError(.fileDoesNotExist, "The body's URL is not one of a file.", url: nil)
        }
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(
                atPath: url.resolvingSymlinksInPath().path)
        } catch {
            throw URLError(.fileDoesNotExist, "Cannot read \(url.path).", url: nil, cause: error)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw URLError(.fileIsDirectory, "\(url.path) is not a regular file.", url: nil)
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw URLError(.noPermissionsToReadFile, "\(url.path) may not be read.", url: nil)
        }
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
}

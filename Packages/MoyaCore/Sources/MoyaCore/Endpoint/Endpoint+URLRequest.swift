import Foundation
import MoyaInternals

extension Endpoint {
    /// The request this endpoint stands for. What an upload task sends is not in it yet.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` for a URL that is none or that has a `.` or `..` in its
    ///   path, encoded or not; ``MoyaError/parameterEncoding(_:)`` and
    ///   ``MoyaError/encodableMapping(_:)`` for values that cannot be encoded;
    ///   ``MoyaError/underlying(_:_:)`` around a ``RequestError`` for a method or a header field
    ///   that cannot be sent.
    public func urlRequest() throws -> URLRequest {
        var request = URLRequest(url: try validURL())
        do {
            try RequestValidation.validate(method: method.rawValue)
            if let httpHeaderFields { try RequestValidation.validate(headers: httpHeaderFields) }
        } catch {
            throw MoyaError.underlying(error, nil)
        }
        // A request is a GET already, and to set it costs as much as to make it.
        if method != .get { request.httpMethod = method.rawValue }
        if let httpHeaderFields { request.allHTTPHeaderFields = httpHeaderFields }
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        return try Self.adding(task.query, to: addingBody(to: request))
    }

    private func validURL() throws(MoyaError) -> URL {
        let parsed: URL? =
            if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
                // Foundation would otherwise repair what is no URL, and send it somewhere.
                URL(string: url, encodingInvalidCharacters: false)
            } else {
                URL(string: url)
            }
        guard let parsed, PercentEncoding.dotSegment(in: url) == nil else {
            throw .requestMapping(url)
        }
        return parsed
    }

    private func addingBody(to request: URLRequest) throws(MoyaError) -> URLRequest {
        switch task.body {
        case .none, .upload:
            return request
        case .data(let data):
            var request = request
            request.httpBody = data
            return request
        case .encodable(let value, let encoder):
            return try request.settingBody(encodable: value, encoder: encoder)
        case .parameters(let parameters, let encoding):
            if task.isComposite, let encoding = encoding as? URLEncoding,
                encoding.destination != .httpBody
            {
                throw .parameterEncoding(RequestError.bodyEncoding)
            }
            return try request.encoded(parameters: parameters, parameterEncoding: encoding)
        }
    }

    private static func adding(
        _ query: RequestTask.Query, to request: URLRequest
    ) throws(MoyaError) -> URLRequest {
        switch query {
        case .none:
            return request
        case .several(let queries):
            var request = request
            for query in queries { request = try adding(query, to: request) }
            return request
        case .parameters(let parameters, let encoding):
            let encoding = URLEncoding(
                destination: .queryString, arrayEncoding: encoding.arrayEncoding,
                boolEncoding: encoding.boolEncoding)
            return try request.encoded(parameters: parameters, parameterEncoding: encoding)
        case .encodable(let value, let encoder):
            do {
                return try request.appendingQuery(encoder.queryString(for: value))
            } catch {
                throw .parameterEncoding(error)
            }
        }
    }
}

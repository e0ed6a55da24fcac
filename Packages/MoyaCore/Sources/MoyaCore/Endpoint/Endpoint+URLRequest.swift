import Foundation
import MoyaInternals

extension Endpoint {
    /// Creates the endpoint's request. The body of an upload task is not part of it; the provider
    /// adds it before plugins `prepare` the request.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` for an invalid URL or one with a `.` or `..`
    ///   segment in its path, percent-encoded or not; ``MoyaError/parameterEncoding(_:)`` and
    ///   ``MoyaError/encodableMapping(_:)`` for values that cannot be encoded;
    ///   ``MoyaError/underlying(_:_:)`` with a ``RequestError`` for an invalid method or header
    ///   field.
    public func urlRequest() throws -> URLRequest {
        var request = URLRequest(url: try validURL())
        do {
            try RequestValidation.validate(method: method.rawValue)
            if let httpHeaderFields { try RequestValidation.validate(headers: httpHeaderFields) }
        } catch {
            throw MoyaError.underlying(error, nil)
        }
        // GET is the default method, and setting it costs as much as creating the request.
        if method != .get { request.httpMethod = method.rawValue }
        if let httpHeaderFields {
            request.allHTTPHeaderFields = FieldNames.unique(httpHeaderFields) ?? httpHeaderFields
        }
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        return try Self.adding(task.query, to: addingBody(to: request))
    }

    private func validURL() throws(MoyaError) -> URL {
        let parsed: URL? =
            if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
                // Otherwise Foundation percent-encodes an invalid URL, and the request goes to an
                // unintended URL.
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

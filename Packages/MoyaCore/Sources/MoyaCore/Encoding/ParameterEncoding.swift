import Foundation

/// The parameters of a request, by name.
///
/// The values are `Sendable`. The spelling `any Any & Sendable` lets code in Swift 5 mode pass a
/// `[String: Any]`.
public typealias Parameters = [String: any Any & Sendable]

/// Encodes parameters into a request.
///
/// ```swift
/// struct JSONArrayEncoding: ParameterEncoding {
///     func encode(
///         _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
///     ) throws -> URLRequest {
///         try JSONEncoding.default.encode(urlRequest, withJSONObject: parameters?["jsonArray"])
///     }
/// }
/// ```
@preconcurrency
public protocol ParameterEncoding: Sendable {
    /// Returns `urlRequest` with `parameters` encoded. An error fails the request with
    /// ``MoyaError/parameterEncoding(_:)``.
    ///
    /// With `nil` parameters, the encodings of this library return the request unchanged.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws
        -> URLRequest
}

/// A type that can be converted to a `URLRequest`.
public protocol URLRequestConvertible {
    /// Returns the request to encode parameters into.
    ///
    /// - Throws: The error that prevents the conversion.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    /// Sets the `Content-Type` field, unless the request has one.
    mutating func setContentTypeIfAbsent(_ contentType: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
    }

    /// Returns the request with `parameters` encoded by `parameterEncoding`.
    func encoded(
        parameters: Parameters, parameterEncoding: any ParameterEncoding
    ) throws(MoyaError) -> URLRequest {
        do {
            return try parameterEncoding.encode(self, with: parameters)
        } catch {
            throw .parameterEncoding(error)
        }
    }

    /// Returns the request with a body that `encoder` makes of `encodable`.
    ///
    /// A `JSONEncoder` sorts the keys, so that equal values have equal bodies, unless it is an
    /// instance of a subclass.
    func settingBody(
        encodable: any Encodable, encoder: any BodyEncoder
    ) throws(MoyaError) -> URLRequest {
        do {
            var request = self
            let encoder = (encoder as? JSONEncoder)?.sortingKeys ?? encoder
            request.httpBody = try encoder.encode(encodable)
            request.setContentTypeIfAbsent(encoder.contentType)
            return request
        } catch {
            throw .encodableMapping(error)
        }
    }

    /// Returns the request with a percent-encoded query appended to the query of its URL.
    func appendingQuery(_ query: String) throws(ParameterEncodingError) -> URLRequest {
        guard !query.isEmpty else { return self }
        guard let url else { throw .missingURL }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .unusableURL(url)
        }
        let existing = components.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        components.percentEncodedQuery = existing + query
        guard let extended = components.url else { throw .unusableURL(url) }
        var request = self
        request.url = extended
        return request
    }
}

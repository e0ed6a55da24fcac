import Foundation

/// Parameters of a request, by name.
///
/// Written so that code in Swift 5 mode may pass a `[String: Any]`.
public typealias Parameters = [String: any Any & Sendable]

/// Puts parameters into a request.
///
/// ```swift
/// struct JSONArrayEncoding: ParameterEncoding {
///     func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
///         try JSONEncoding.default.encode(urlRequest, withJSONObject: parameters?["jsonArray"])
///     }
/// }
/// ```
@preconcurrency
public protocol ParameterEncoding: Sendable {
    /// `urlRequest` with `parameters` in it. What it throws becomes ``MoyaError/parameterEncoding(_:)``.
    ///
    /// The encodings of this library leave a request without parameters (`nil`) as it is.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws
        -> URLRequest
}

/// Anything a `URLRequest` can be made of.
public protocol URLRequestConvertible {
    /// The request that parameters are put into.
    ///
    /// - Throws: Why there is none.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    mutating func setContentTypeIfAbsent(_ contentType: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
    }

    func encoded(
        parameters: Parameters, parameterEncoding: any ParameterEncoding
    ) throws(MoyaError) -> URLRequest {
        do {
            return try parameterEncoding.encode(self, with: parameters)
        } catch {
            throw .parameterEncoding(error)
        }
    }

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

    /// The request with this part, percent-encoded already, at the end of its URL's query.
    func appendingQuery(_ query: String) throws(ParameterEncodingError) -> URLRequest {
        guard !query.isEmpty else { return self }
        guard let url else { throw .missingURL }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .unusableURL(url)
        }
        let present = components.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        components.percentEncodedQuery = present + query
        guard let extended = components.url else { throw .unusableURL(url) }
        var request = self
        request.url = extended
        return request
    }
}

import Foundation
import MoyaInternals

/// The errors of requests and responses.
public enum MoyaError: Error, Sendable {
    /// The response's body is not an image.
    case imageMapping(Response)
    /// The response's body is not JSON.
    case jsonMapping(Response)
    /// The response's body is not UTF-8 text, or has no text at the key path.
    case stringMapping(Response)
    /// The response's body could not be decoded.
    case objectMapping(any Error, Response)
    /// The request's value could not be encoded.
    case encodableMapping(any Error)
    /// The response's status code is not accepted.
    case statusCode(Response)
    /// Another error: of the network (a `URLError`), of validation (``statusCode(_:)``), or of a
    /// file. Includes the response, if there is one.
    case underlying(any Error, Response?)
    /// The string is not a valid URL, or has a `.` or `..` segment in its path.
    case requestMapping(String)
    /// The parameters could not be encoded.
    case parameterEncoding(any Error)
}

extension MoyaError {
    /// The response, if there is one.
    public var response: Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error that caused this error, if there is one.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _),
            .parameterEncoding(let error):
            error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }
}

extension MoyaError: LocalizedError {
    /// What went wrong and, for a response, its status, the method and the URL, with secrets
    /// masked. The title of problem details (RFC 9457) follows the text of a refused status.
    public var errorDescription: String? {
        switch self {
        case .imageMapping(let response): "Failed to map data to an Image. \(note(response))"
        case .jsonMapping(let response): "Failed to map data to JSON. \(note(response))"
        case .stringMapping(let response): "Failed to map data to a String. \(note(response))"
        case .objectMapping(let error, let response):
            "Failed to map data to a Decodable object: \(ErrorText.sentence(error)) "
                + note(response)
        case .encodableMapping(let error):
            "Failed to encode Encodable object into data: \(ErrorText.sentence(error))"
        case .statusCode(let response):
            "Status code didn't fall within the given range: \(response.summary)."
                + (problemTitle.map { " Problem: \($0)" } ?? "")
        case .underlying(let error, let response): ErrorText.message(of: error, response)
        case .requestMapping(let url):
            "Failed to map Endpoint to a URLRequest. \(Self.problem(with: url))"
        case .parameterEncoding(let error):
            "Failed to encode parameters for URLRequest. \(ErrorText.text(of: error))"
        }
    }

    private func note(_ response: Response) -> String { ErrorText.note(response) }

    public var recoverySuggestion: String? {
        guard case .requestMapping(let url) = self else { return nil }
        if PercentEncoding.dotSegment(in: url) != nil {
            return
                "Remove the segment. Check values for \".\" and \"..\" before inserting them into "
                + "the path."
        }
        return
            "Check the target's baseURL and path. Spaces and other characters that are not allowed "
            + "in a URL have to be percent-encoded."
    }

    private static func problem(with url: String) -> String {
        let shown = Redaction.default.redact(url: url)
        guard let segment = PercentEncoding.dotSegment(in: url) else {
            return "\"\(shown)\" is not a valid URL."
        }
        return
            "The path of \"\(shown)\" contains the segment \"\(segment)\", so another resource "
            + "would be requested."
    }
}

extension MoyaError: CustomNSError {
    /// `Moya.MoyaError`, as in Moya, although the type's module is MoyaCore. The codes are also
    /// Moya's: 0 for ``imageMapping(_:)`` to 8 for ``parameterEncoding(_:)``, in declaration order.
    public static var errorDomain: String { "Moya.MoyaError" }

    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = errorDescription
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        userInfo[NSUnderlyingErrorKey] = underlyingError
        return userInfo
    }
}

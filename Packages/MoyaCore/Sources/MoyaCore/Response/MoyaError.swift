import Foundation
import MoyaInternals

/// Everything a request can fail with.
public enum MoyaError: Error, Sendable {
    /// The response's body is no image.
    case imageMapping(Response)
    /// The response's body is no JSON.
    case jsonMapping(Response)
    /// The response's body is no text, or has none at the key path.
    case stringMapping(Response)
    /// The response's body could not be decoded.
    case objectMapping(any Error, Response)
    /// The value to send could not be encoded.
    case encodableMapping(any Error)
    /// The status code is not among those asked for.
    case statusCode(Response)
    /// Something below failed: the network (a `URLError`), the validation (``statusCode(_:)``), a file.
    /// Has the response, where there was one.
    case underlying(any Error, Response?)
    /// This is no URL.
    case requestMapping(String)
    /// The parameters could not be encoded.
    case parameterEncoding(any Error)
}

extension MoyaError {
    /// The response, where there was one.
    public var response: Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error that caused this one, where there was one.
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
    public var errorDescription: String? {
        switch self {
        case .imageMapping: "Failed to map data to an Image."
        case .jsonMapping: "Failed to map data to JSON."
        case .stringMapping: "Failed to map data to a String."
        case .objectMapping(let error as DecodingError, _):
            "Failed to map data to a Decodable object: \(DecodingPlace.describe(error))."
        case .objectMapping: "Failed to map data to a Decodable object."
        case .encodableMapping: "Failed to encode Encodable object into data."
        case .statusCode: "Status code didn't fall within the given range."
        case .underlying(let error, _): error.localizedDescription
        case .requestMapping(let url):
            "Failed to map Endpoint to a URLRequest. \(Self.problem(with: url))"
        case .parameterEncoding(let error):
            "Failed to encode parameters for URLRequest. \(error.localizedDescription)"
        }
    }

    public var recoverySuggestion: String? {
        guard case .requestMapping(let url) = self else { return nil }
        if PercentEncoding.dotSegment(in: url) != nil {
            return
                "Write the path that is meant, and check values for \".\" and \"..\" before they "
                + "are put into it."
        }
        return
            "Check the target's baseURL and path: spaces and the like have to be percent-encoded."
    }

    private static func problem(with url: String) -> String {
        let shown = Redaction.default.redact(address: url)
        guard let segment = PercentEncoding.dotSegment(in: url) else {
            return "\"\(shown)\" is not a URL that can be requested."
        }
        return
            "\"\(segment)\" in the path of \"\(shown)\" leads to another resource than the path says."
    }
}

extension MoyaError: CustomNSError {
    /// `Moya.MoyaError`, as in Moya, whichever module the type is in. The codes are those of Moya too: 0 is
    /// ``imageMapping(_:)``, 8 ``parameterEncoding(_:)``, and the others stand between them in the order above.
    public static var errorDomain: String { "Moya.MoyaError" }

    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = errorDescription
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        userInfo[NSUnderlyingErrorKey] = underlyingError
        return userInfo
    }
}

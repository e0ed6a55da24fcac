import Foundation
import MoyaInternals

extension MoyaError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What failed, and why: fit for a log. Holds no secret of a URL and nothing of a body.
    public var description: String { "MoyaError.\(name)(\(details.joined(separator: ", ")))" }

    public var debugDescription: String { description }

    private var name: String {
        switch self {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .encodableMapping: "encodableMapping"
        case .statusCode: "statusCode"
        case .underlying: "underlying"
        case .requestMapping: "requestMapping"
        case .parameterEncoding: "parameterEncoding"
        }
    }

    private var details: [String] {
        if case .requestMapping(let url) = self {
            return ["\"\(Redaction.default.redact(address: url))\""]
        }
        return [underlyingError.map(Self.describe), response?.description].compactMap { $0 }
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as MoyaError: return error.description
        case let error as DecodingError: return DecodingPlace.describe(error)
        default:
            // How an error prints itself by default shows all that is in it.
            let bridged = error as NSError
            let text = Redaction.default.redact(text: error.localizedDescription)
            return "\(bridged.domain) \(bridged.code): \(text)"
        }
    }
}

extension MoyaError: CustomReflectable {
    /// What a dump shows: as much as the description.
    public var customMirror: Mirror {
        Mirror(self, children: [name: details], displayStyle: .enum)
    }
}

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
            if let name = caseName(of: error) { return name }
            let bridged = error as NSError
            let text = Redaction.default.redact(text: error.localizedDescription)
            return "\(bridged.domain) \(bridged.code): \(text)"
        }
    }

    /// The case of an error that says nothing of itself. Of what is in it the cases alone, since values may be secret.
    private static func caseName(of error: any Error) -> String? {
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum, !(error is any LocalizedError) else { return nil }
        return caseName(mirror, of: error)
    }

    private static func caseName(_ mirror: Mirror, of value: Any) -> String {
        guard mirror.displayStyle == .enum else { return "\(type(of: value))" }
        let type = String(reflecting: type(of: value))
        guard let (label, payload) = mirror.children.first, let label else {
            return "\(type).\(value)"
        }
        let inner = Mirror(reflecting: payload)
        let parts = inner.displayStyle == .tuple ? Array(inner.children) : [(nil, payload)]
        let shown = parts.map { name, part in
            // A tuple names what has no label ".0".
            (name.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? "")
                + caseName(Mirror(reflecting: part), of: part)
        }
        return "\(type).\(label)(\(shown.joined(separator: ", ")))"
    }
}

extension MoyaError: CustomReflectable {
    /// What a dump shows: as much as the description.
    public var customMirror: Mirror {
        Mirror(self, children: [name: details], displayStyle: .enum)
    }
}

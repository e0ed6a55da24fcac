import Foundation
import MoyaInternals

extension MoyaError: CustomStringConvertible {
    /// The error's case and cause, for logs. Contains no secrets of a URL and no content of a body.
    public var description: String { "MoyaError.\(name)(\(details.joined(separator: ", ")))" }

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
        if let error = error as? MoyaError { return error.description }
        // The default description of an error prints its stored values, which may be secret.
        if let reason = reason(of: error) { return reason }
        let bridged = error as NSError
        let text = Redaction.default.redact(text: error.localizedDescription)
        return "\(bridged.domain) \(bridged.code): \(text)"
    }

    /// Describes a cause at the end of a message, with a full stop, without values that may be
    /// secret.
    static func sentence(_ error: any Error) -> String {
        let text = reason(of: error) ?? Redaction.default.redact(text: error.localizedDescription)
        // Foundation's texts of some errors end with ".)".
        return text.hasSuffix(".") || text.hasSuffix(".)") ? text : text + "."
    }

    /// Returns the place of a coding error or the case name of an enum error. `nil` for an error
    /// that has only a localized description.
    private static func reason(of error: any Error) -> String? {
        switch error {
        case let error as DecodingError: DecodingPlace.describe(error)
        case let error as EncodingError: EncodingPlace.describe(error)
        default: caseName(of: error)
        }
    }

    /// Returns the case name of an enum error without a localized description. Payloads are reduced
    /// to case or type names, because values may be secret.
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
            // Mirrors label unlabelled tuple elements ".0", ".1" and so on.
            (name.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? "")
                + caseName(Mirror(reflecting: part), of: part)
        }
        return "\(type).\(label)(\(shown.joined(separator: ", ")))"
    }
}

extension MoyaError: CustomReflectable {
    /// Shows the same details as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: [name: details], displayStyle: .enum)
    }
}

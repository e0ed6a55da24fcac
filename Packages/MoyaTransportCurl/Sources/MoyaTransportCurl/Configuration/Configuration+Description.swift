#if CURL
import Foundation
import MoyaCore

// Descriptions leave out passwords, keys and header field values.
private let mask = Redaction.mask

extension CurlTransport.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    /// The kind, user, excluded hosts and field names. The password is masked, and the URL
    /// redacted.
    public var description: String {
        let hosts = excludedHosts.isEmpty ? "" : ", excluding: \(excludedHosts)"
        let user = user.map { ", user: \"\($0)\"" } ?? ""
        let password = password == nil ? "" : ", password: \(mask)"
        let fields = fields.isEmpty ? "" : ", fields: \(fields.map(\.name))"
        return "Proxy(\(place)\(user)\(password)\(hosts)\(fields))"
    }

    /// The values of `description`, for `dump` and debuggers. The password is masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": place, "user": user as Any, "password": password.map { _ in mask } as Any,
                "excludedHosts": excludedHosts, "fields": fields.map(\.name),
            ], displayStyle: .struct)
    }

    private var place: String {
        switch kind {
        case .none: "none"
        case .environment: "environment"
        case .url(let url): Redaction.default.redact(url: url)
        }
    }
}

extension CurlTransport.Configuration.Network: CustomStringConvertible, CustomReflectable {
    /// Every setting. Credentials in the `dnsOverHTTPS` URL are redacted.
    public var description: String {
        let parts = children.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
        return "Network(\(parts))"
    }

    /// The values of `description`, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: children.map { (Optional($0), $1) }, displayStyle: .struct)
    }

    private var children: [(label: String, value: Any)] {
        [
            ("hostOverrides", hostOverrides),
            ("dnsOverHTTPS", dnsOverHTTPS.map(Redaction.default.redact(url:)) as Any),
            ("interface", interface as Any), ("ipVersion", ipVersion),
            ("happyEyeballsTimeout", happyEyeballsTimeout), ("unixSocket", unixSocket as Any),
        ]
    }
}

extension CurlTransport.Configuration.TLS.Identity.Source: CustomStringConvertible,
    CustomReflectable
{
    var description: String {
        switch self {
        case .file(let url): "\(url)"
        case .data: mask
        }
    }

    var customMirror: Mirror { Mirror(reflecting: description) }
}

extension CurlTransport.Configuration.TLS.Identity: CustomStringConvertible, CustomReflectable {
    /// The files that hold the identity. Data and passwords are masked.
    public var description: String {
        "Identity(\(kind)\(password == nil ? "" : ", password: \(mask)"))"
    }

    /// The values of `description`, for `dump` and debuggers. Data and passwords are masked.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["kind": kind, "password": password.map { _ in mask } as Any],
            displayStyle: .struct)
    }
}
#endif

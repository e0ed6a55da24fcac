#if CURL
import Foundation
import MoyaCore

// What a configuration prints: everything but passwords.
private let mask = Redaction.mask

extension CurlTransport.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    public var description: String {
        let hosts = excludedHosts.isEmpty ? "" : ", excluding: \(excludedHosts)"
        let user = user.map { ", user: \"\($0)\"" } ?? ""
        let password = password == nil ? "" : ", password: \(mask)"
        let fields = fields.isEmpty ? "" : ", fields: \(fields.map(\.name))"
        return "Proxy(\(place)\(user)\(password)\(hosts)\(fields))"
    }

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
    public var description: String {
        let parts = children.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
        return "Network(\(parts))"
    }

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
    public var description: String {
        "Identity(\(kind)\(password == nil ? "" : ", password: \(mask)"))"
    }

    public var customMirror: Mirror {
        Mirror(
            self, children: ["kind": kind, "password": password.map { _ in mask } as Any],
            displayStyle: .struct)
    }
}
#endif

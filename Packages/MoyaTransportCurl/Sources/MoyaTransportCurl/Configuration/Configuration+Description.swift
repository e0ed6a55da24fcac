import Foundation
@_spi(MoyaInternals) import MoyaCore

// What a configuration prints: everything but passwords.
private let mask = Redaction.mask

extension CurlTransport.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    public var description: String {
        let hosts = excludedHosts.isEmpty ? "" : ", excluding: \(excludedHosts)"
        let user = user.map { ", user: \"\($0)\"" } ?? ""
        return "Proxy(\(place)\(user)\(password == nil ? "" : ", password: \(mask)")\(hosts))"
    }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": place, "user": user as Any, "password": password.map { _ in mask } as Any,
                "excludedHosts": excludedHosts,
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

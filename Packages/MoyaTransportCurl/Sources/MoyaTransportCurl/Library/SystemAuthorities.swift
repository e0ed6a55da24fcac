#if CURL
import Foundation

/// Where the certificates of the authorities are that the system trusts.
///
/// libcurl knows the place of the system that it was built on. Another system, on which a static program runs, may have
/// another one.
enum SystemAuthorities: Equatable {
    /// Where libcurl looks by itself.
    case libcurl
    /// A file of certificates in PEM form.
    case file(String)
    /// A folder of certificates, each by the hash of its subject.
    case folder(String)
    /// At none of these places.
    case missing([String])

    /// Where distributions have them.
    static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same without links to it
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/var/lib/ca-certificates/ca-bundle.pem",
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch
        "/etc/ssl/cert.pem",  // Alpine, BSDs
        "/etc/ssl/certs",
    ]

    static let installed = SystemAuthorities(CurlLibrary.authorities)

    /// - Parameters:
    ///   - own: Where libcurl looks by itself. `nil` where it does not tell.
    ///   - places: Where else to look.
    init(_ own: [String]?, elsewhere places: [String] = usualPlaces) {
        guard let own, !own.contains(where: Self.holdsSome) else {
            self = .libcurl
            return
        }
        guard let place = places.first(where: Self.holdsSome) else {
            self = .missing(own + places.filter { !own.contains($0) })
            return
        }
        self = Self.isFolder(place) ? .folder(place) : .file(place)
    }

    /// A folder may be there before there is anything in it.
    private static func holdsSome(_ path: String) -> Bool {
        let files = FileManager.default
        return isFolder(path)
            ? (try? files.contentsOfDirectory(atPath: path))?.contains(where: isHash) ?? false
            : files.isReadableFile(atPath: path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// `4a6481c9.0`: the names that TLS libraries look for.
    private static func isHash(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        return parts.count == 2 && parts[0].count == 8 && UInt32(parts[0], radix: 16) != nil
    }

    /// What to add to the error of a certificate that could not be traced to an authority.
    var advice: String? {
        guard case .missing(let places) = self else { return nil }
        return "There are no certificates of authorities at \(places.joined(separator: ", ")). "
            + "Install those of the system, or name a file with tls.trust."
    }
}
#endif

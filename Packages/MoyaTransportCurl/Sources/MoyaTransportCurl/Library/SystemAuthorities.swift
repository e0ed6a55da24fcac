#if CURL
import Foundation

/// Location of the system's trusted certificates.
///
/// libcurl has the location compiled in. A statically linked program may run on a distribution that
/// has another one.
enum SystemAuthorities: Equatable {
    /// libcurl's own location.
    case libcurl
    /// A file of PEM certificates.
    case file(String)
    /// A folder of certificates named by subject hash.
    case folder(String)
    /// No certificates at any of these paths.
    case missing([String])

    /// Locations in common distributions.
    static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, not a link
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/var/lib/ca-certificates/ca-bundle.pem",
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch
        "/etc/ssl/cert.pem",  // Alpine, BSDs
        "/etc/ssl/certs",
    ]

    static let installed = SystemAuthorities(CurlLibrary.authorities)

    /// Finds the location to use.
    ///
    /// - Parameters:
    ///   - own: libcurl's own locations. `nil` if libcurl does not report them.
    ///   - places: Further locations to try.
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

    /// Whether the path is a readable file, or a folder with certificates. An empty folder does not
    /// count.
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

    /// Whether `name` is a subject hash name, such as `4a6481c9.0`.
    private static func isHash(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        return parts.count == 2 && parts[0].count == 8 && UInt32(parts[0], radix: 16) != nil
    }

    /// Text added to the error for a certificate without a known authority. `nil` if certificates
    /// were found.
    var advice: String? {
        guard case .missing(let places) = self else { return nil }
        return "There are no certificates of authorities at \(places.joined(separator: ", ")). "
            + "Install those of the system, or name a file with tls.trust."
    }
}
#endif

import Foundation
import MoyaInternals

extension DefaultHeaders {
    /// Name and version of the system, such as `iOS 18.0.0`, with Alamofire's names.
    static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let number = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #if targetEnvironment(macCatalyst)
            let name = "macOS(Catalyst)"
        #else
            let name = SystemName.current ?? "Unknown"
        #endif
        return "\(name) \(number)"
    }
}

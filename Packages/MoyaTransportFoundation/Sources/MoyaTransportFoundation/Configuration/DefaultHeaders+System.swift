import Foundation

extension DefaultHeaders {
    /// Name and version of the system, such as `iOS 18.0.0`, with Alamofire's names.
    static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let number = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #if targetEnvironment(macCatalyst)
            let name = "macOS(Catalyst)"
        #elseif os(macOS)
            let name = "macOS"
        #elseif os(iOS)
            let name = "iOS"
        #elseif os(tvOS)
            let name = "tvOS"
        #elseif os(watchOS)
            let name = "watchOS"
        #elseif os(visionOS)
            let name = "visionOS"
        #elseif os(Linux)
            let name = "Linux"
        #else
            let name = "Unknown"
        #endif
        return "\(name) \(number)"
    }
}

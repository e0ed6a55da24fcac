import Foundation

extension DefaultHeaders {
    /// `iOS 18.0.0`, by the name Alamofire has for it.
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

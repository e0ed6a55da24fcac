/// Name of the operating system.
public enum SystemName {
    /// The name, such as `Linux` or `iOS`. `nil` for an unknown system.
    public static var current: String? {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #else
            nil
        #endif
    }
}

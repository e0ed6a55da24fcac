import Foundation

/// developer.apple.com/documentation/appkit/nsimage
open class NSImage: NSObject, @unchecked Sendable {
    /// developer.apple.com/documentation/appkit/nsimage/init(data:)
    public init?(data: Data) {}
}

import Foundation

/// developer.apple.com/documentation/uikit/uiimage
@available(iOS 2.0, tvOS 9.0, watchOS 2.0, visionOS 1.0, *)
open class UIImage: NSObject, @unchecked Sendable {
    /// developer.apple.com/documentation/uikit/uiimage/init(data:)
    public init?(data: Data) {}
}

import Foundation

#if canImport(UIKit)
    import UIKit

    /// The platform's image type.
    public typealias Image = UIImage
#elseif canImport(AppKit)
    import AppKit

    /// The platform's image type.
    public typealias Image = NSImage
#endif

#if canImport(UIKit) || canImport(AppKit)
    /// The platform's image type, under Moya's other name.
    public typealias ImageType = Image

    extension Response {
        /// Returns the body as an image.
        ///
        /// - Throws: ``MoyaError/imageMapping(_:)``
        public func mapImage() throws -> Image {
            guard let image = Image(data: data) else { throw MoyaError.imageMapping(self) }
            return image
        }
    }
#else
    extension Response {
        @available(*, unavailable, message: "This platform has no image type. Decode `data`.")
        public func mapImage() throws -> Never { throw CocoaError(.featureUnsupported) }
    }
#endif

import Foundation
import MoyaInternals

extension URL {
    /// The URL with dot segments resolved (RFC 3986, section 5.2.4). Not every transport resolves
    /// them.
    var resolvingDotSegments: URL {
        PercentEncoding.dotSegment(in: absoluteString) == nil
            ? self : URLReference.removingDotSegments(from: self)
    }
}

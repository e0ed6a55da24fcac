import Foundation
import MoyaInternals

extension URL {
    /// The same URL without `.` and `..` (RFC 3986, section 5.2.4). Not every transport resolves them.
    var resolvingDotSegments: URL {
        PercentEncoding.dotSegment(in: absoluteString) == nil ? self : absoluteURL.standardized
    }
}

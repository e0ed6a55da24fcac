// Types of CoreFoundation, which Foundation exports on Apple's platforms. Swift bridges them with
// `as` to Foundation's values there. Without Objective-C there is no bridging, so they are those
// values here: a cast that is missing shows on Apple's platforms alone.
import Foundation

/// developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = Data
/// developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
/// developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = Any
/// developer.apple.com/documentation/corefoundation/cfoptionflags
public typealias CFOptionFlags = UInt
/// developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator {}
/// developer.apple.com/documentation/corefoundation/cferror
public final class CFError: Error, @unchecked Sendable {}

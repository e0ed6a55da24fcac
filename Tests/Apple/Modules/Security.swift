// Security, for the names that the sources use: developer.apple.com/documentation/security/NAME
import CoreFoundationTypes
import Foundation

/// …/errsecsuccess
public var errSecSuccess: OSStatus { 0 }
/// …/ksecrevocationuseanyavailablemethod
public var kSecRevocationUseAnyAvailableMethod: CFOptionFlags { 3 }
/// …/ksecrevocationrequirepositiveresponse
public var kSecRevocationRequirePositiveResponse: CFOptionFlags { 4 }

/// developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32

/// …/seccertificate
public final class SecCertificate {}
/// …/seckey
public final class SecKey {}
/// …/secpolicy
public final class SecPolicy {}
/// …/sectrust
public final class SecTrust {}
/// …/secidentity
public final class SecIdentity {}

/// …/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
/// …/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? { nil }
/// …/seckeycopyexternalrepresentation(_:_:)
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, visionOS 1.0, *)
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
/// …/secpolicycreaterevocation(_:)
@available(macOS 10.9, iOS 7.0, *)
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? { nil }
/// …/secpolicycreatessl(_:_:)
@available(macOS 10.6, iOS 2.0, *)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { fatalError() }
/// …/sectrustcopycertificatechain(_:)
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
/// …/sectrustevaluatewitherror(_:_:)
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, visionOS 1.0, *)
public func SecTrustEvaluateWithError(
    _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }
/// …/sectrustsetanchorcertificates(_:_:)
public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus { 0 }
/// …/sectrustsetanchorcertificatesonly(_:_:)
public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus { 0 }
/// …/sectrustsetpolicies(_:_:)
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { 0 }

/// …/tls_protocol_version_t
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public enum tls_protocol_version_t: UInt16, @unchecked Sendable {
    case TLSv12 = 771
    case TLSv13 = 772
    case DTLSv12 = 65277
}

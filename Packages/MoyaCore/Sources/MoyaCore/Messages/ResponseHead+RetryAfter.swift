import Foundation

extension ResponseHead {
    /// The seconds after `now` for which `Retry-After` asks (RFC 9110, section 10.2.3): `nil` where the server does
    /// not say, never negative.
    @_spi(MoyaInternals)
    public func retryAfter(at now: Date) -> TimeInterval? {
        guard let text = values(for: "Retry-After").first else { return nil }
        return DeltaSeconds.parse(text)
            ?? HTTPDate.parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}

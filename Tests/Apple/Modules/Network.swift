// Network, for the names that the sources use: developer.apple.com/documentation/network/NAME
import Dispatch

/// …/nwpath
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, visionOS 1.0, *)
public struct NWPath: Equatable, Sendable {
    /// …/nwpath/status-swift.enum
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    /// …/nwpath/status-swift.property
    public let status: Status
}

/// …/nwpathmonitor
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, visionOS 1.0, *)
public final class NWPathMonitor {
    public init() {}
    /// …/nwpathmonitor/pathupdatehandler
    @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    /// …/nwpathmonitor/start(queue:)
    public func start(queue: DispatchQueue) {}
    /// …/nwpathmonitor/cancel()
    public func cancel() {}
}

import Foundation
import MoyaCore

extension URLRequest {
    /// The `timeoutInterval` of a request without one of its own.
    static let defaultTimeoutInterval: TimeInterval = 60
}

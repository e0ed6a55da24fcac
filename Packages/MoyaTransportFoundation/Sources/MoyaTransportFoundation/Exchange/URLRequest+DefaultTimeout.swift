import Foundation
import MoyaCore

extension URLRequest {
    /// URLRequest's default `timeoutInterval`, in seconds.
    static let defaultTimeoutInterval: TimeInterval = 60
}

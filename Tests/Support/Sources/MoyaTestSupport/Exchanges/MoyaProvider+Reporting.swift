import Foundation
import MoyaCore

extension MoyaProvider {
    /// Sends a request and calls `report` with every progress value. The sequence of
    /// `progress(of:)` may skip values.
    public func report(_ target: Target, to report: @escaping ProgressBlock) async throws {
        _ = try await withCheckedThrowingContinuation { continuation in
            _ = request(
                target, callbackQueue: DispatchQueue(label: "reports"), progress: report
            ) { continuation.resume(with: $0) }
        }
    }
}

import Foundation
import MoyaCore

extension MoyaProvider {
    /// Makes a request and calls `report` with every progress: a loop over `progress(of:)` may skip some.
    public func report(_ target: Target, to report: @escaping ProgressBlock) async throws {
        _ = try await withCheckedThrowingContinuation { continuation in
            _ = request(
                target, callbackQueue: DispatchQueue(label: "reports"), progress: report
            ) { continuation.resume(with: $0) }
        }
    }
}

import Foundation
import MoyaCore

extension MoyaProvider {
    /// Makes a request whose `report` is called with every progress: a loop over `progress(of:)` may skip some.
    public func request(_ target: Target, reporting report: @escaping ProgressBlock) async throws {
        _ = try await withCheckedThrowingContinuation { continuation in
            _ = request(
                target, callbackQueue: DispatchQueue(label: "reports"), progress: report
            ) { continuation.resume(with: $0) }
        }
    }
}
